/* DMA mappings. */
dma_addr_t dma_map_single(struct device *dev, void *memory, size_t size, int direction);
void dma_unmap_single(struct device *dev, dma_addr_t address, size_t size, int direction);
dma_addr_t dma_map_page(struct device *dev, struct page *page, size_t offset, size_t size, int direction);
void dma_unmap_page(struct device *dev, dma_addr_t address, size_t size, int direction);
unsigned int dma_map_sg(struct device *dev, struct scatterlist *sg, int nents, int direction);
void dma_unmap_sg(struct device *dev, struct scatterlist *sg, int nents, int direction);
int dma_mapping_error(struct device *dev, dma_addr_t address);
void *dma_alloc_coherent(struct device *dev, size_t size, dma_addr_t *address, gfp_t gfp);
void *dmam_alloc_coherent(struct device *dev, size_t size, dma_addr_t *address, gfp_t gfp);
void dma_free_coherent(struct device *dev, size_t size, void *memory, dma_addr_t address);
void dma_sync_single_for_cpu(struct device *dev, dma_addr_t address, size_t size, int direction);
void dma_sync_single_for_device(struct device *dev, dma_addr_t address, size_t size, int direction);
int dma_set_mask_and_coherent(struct device *dev, u64 mask);
