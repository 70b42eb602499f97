/* Tables of device ids. */
struct of_device_id {
	char name[32];
	char type[32];
	char compatible[128];
	const void *data;
};
struct platform_device_id {
	char name[24];
	kernel_ulong_t driver_data;
};
