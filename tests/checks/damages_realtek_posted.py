"""What was wrong with the posted v3 of the realtek driver, done to our own driver.

Each damage names the check that has to find it and the source line it has to point to.
"""

from __future__ import annotations

from checks_damage import Damage

# fmt: off
# ruff: noqa: E501

DAMAGES: list[Damage] = [
    Damage("D1 reqlen unset", "unset-variable", "if (reqlen > RTCE_HASH_MAX)", [
         ("realtek_crypto_ahash.c", ("\tbool md5 = rtce_ahash_is_md5(crypto_ahash_reqtfm(req));\n"
          "\tunsigned int min_size = md5 ? READ_ONCE(md5_min_size) :\n"
          "\t\t\t\t      READ_ONCE(sha1_min_size);\n"
          "\tint nents;\n"
          "\n"
          "\tif (req->nbytes < min_size"),
          ("\tunsigned int reqlen, min_size;\n"
          "\tint nents;\n"
          "\n"
          "\tif (reqlen > RTCE_HASH_MAX)\n"
          "\t\treturn false;\n"
          "\treqlen = req->nbytes;\n"
          "\tmin_size = reqlen;\n"
          "\tif (req->nbytes < min_size")),
    ]),
    Damage("D2 count overwritten", "unused-function", "static int rtce_map_list(struct rtce_chan *chan, struct scatterlist *sg, int nents)", [
         ("realtek_crypto.c", "static void rtce_stop(void *data)",
          ("static int rtce_map_list(struct rtce_chan *chan, struct scatterlist *sg, int nents)\n"
          "{\n"
          "\tstruct device *dev = chan->eng->dev;\n"
          "\n"
          "\tnents = dma_map_sg(dev, sg, nents, DMA_TO_DEVICE);\n"
          "\tif (!nents)\n"
          "\t\treturn -ENOMEM;\n"
          "\trtce_submit(chan);\n"
          "\tdma_unmap_sg(dev, sg, nents, DMA_TO_DEVICE);\n"
          "\treturn 0;\n"
          "}\n"
          "\n"
          "static void rtce_stop(void *data)")),
    ]),
    Damage("D3 sg walked", "unused-function", "static int rtce_map_list(struct rtce_chan *chan, struct scatterlist *sg, int nents)", [
         ("realtek_crypto.c", "static void rtce_stop(void *data)",
          ("static int rtce_map_list(struct rtce_chan *chan, struct scatterlist *sg, int nents)\n"
          "{\n"
          "\tstruct device *dev = chan->eng->dev;\n"
          "\n"
          "\tif (!dma_map_sg(dev, sg, nents, DMA_TO_DEVICE))\n"
          "\t\treturn -ENOMEM;\n"
          "\tfor (; sg; sg = sg_next(sg))\n"
          "\t\trtce_add_scratch(chan, sg, 1);\n"
          "\tdma_unmap_sg(dev, sg, nents, DMA_TO_DEVICE);\n"
          "\treturn 0;\n"
          "}\n"
          "\n"
          "static void rtce_stop(void *data)")),
    ]),
    Damage("D4 error path leaks", "resource-leak", "return -EINVAL;", [
         ("realtek_crypto.c", ("\tif (dma_mapping_error(dev, addr)) {\n"
          "\t\trtce_unmap(chan);\n"
          "\t\treturn -ENOMEM;\n"
          "\t}\n"
          "\tchan->dst = addr;"),
          ("\tif (dma_mapping_error(dev, addr)) {\n"
          "\t\trtce_unmap(chan);\n"
          "\t\treturn -ENOMEM;\n"
          "\t}\n"
          "\tif (len > RTCE_BOUNCE_SIZE)\n"
          "\t\treturn -EINVAL;\n"
          "\tchan->dst = addr;")),
    ]),
    Damage("D4b map_src leak", "resource-leak", "return -ENOMEM;", [
         ("realtek_crypto.c", ("\t\tif (dma_mapping_error(dev, seg->addr)) {\n"
          "\t\t\trtce_unmap(chan);\n"
          "\t\t\treturn -ENOMEM;"),
          ("\t\tif (dma_mapping_error(dev, seg->addr)) {\n"
          "\t\t\treturn -ENOMEM;")),
    ]),
    Damage("D5 no mapping error", "dma-map-unchecked", "addr = dma_map_page(dev, page, offset, len, DMA_FROM_DEVICE);", [
         ("realtek_crypto.c", ("\tif (dma_mapping_error(dev, addr)) {\n"
          "\t\trtce_unmap(chan);\n"
          "\t\treturn -ENOMEM;\n"
          "\t}\n"
          "\tchan->dst = addr;"),
          "\tchan->dst = addr;"),
    ]),
    Damage("D5b", "dma-map-unchecked", "seg->addr = dma_map_page(dev, sg_page(sg), sg->offset + skip,", [
         ("realtek_crypto.c", ("\t\tif (dma_mapping_error(dev, seg->addr)) {\n"
          "\t\t\trtce_unmap(chan);\n"
          "\t\t\treturn -ENOMEM;\n"
          "\t\t}\n"),
          ""),
    ]),
    Damage("D6 zero page handle lost", "dma-handle-lost", "dma_map_page(eng->dev, ZERO_PAGE(0), 0, PAGE_SIZE, DMA_TO_DEVICE);", [
         ("realtek_crypto.c", "\teng->free = GENMASK(RTCE_CHANNELS - 1, 0);",
          ("\tdma_map_page(eng->dev, ZERO_PAGE(0), 0, PAGE_SIZE, DMA_TO_DEVICE);\n"
          "\teng->free = GENMASK(RTCE_CHANNELS - 1, 0);")),
    ]),
    Damage("D7 stack pad", "dma-from-stack", "dma_addr_t dma = dma_map_single(chan->eng->dev, pad, 72, DMA_TO_DEVICE);", [
         ("realtek_crypto_ahash.c", ("\tstruct rtce_scratch *scratch = chan->scratch;\n"
          "\tunsigned int len;"),
          ("\tstruct rtce_scratch *scratch = chan->scratch;\n"
          "\tu8 pad[72];\n"
          "\tdma_addr_t dma = dma_map_single(chan->eng->dev, pad, 72, DMA_TO_DEVICE);\n"
          "\tunsigned int len;")),
    ]),
    Damage("D8 virt_to_phys", "dma-address-origin", "seg->addr = virt_to_phys(part);", [
         ("realtek_crypto.c", "\tseg->addr = chan->scratch_dma + (part - (void *)chan->scratch);",
          "\tseg->addr = virt_to_phys(part);"),
    ]),
    Damage("D9 sg_dma_len unmapped", "sg-unmapped-length", "reach += sg_dma_len(sg) - skip;", [
         ("realtek_crypto_skcipher.c", "\t\treach += sg->length - skip;",
          "\t\treach += sg_dma_len(sg) - skip;"),
    ]),
    Damage("D11 direction", "dma-direction", "dma_unmap_page(dev, chan->dst, chan->dst_len, DMA_TO_DEVICE);", [
         ("realtek_crypto.c", "\t\tdma_unmap_page(dev, chan->dst, chan->dst_len, DMA_FROM_DEVICE);",
          "\t\tdma_unmap_page(dev, chan->dst, chan->dst_len, DMA_TO_DEVICE);"),
    ]),
    Damage("D12 wait in callback", "sleep-in-atomic", "wait_event(eng->room, eng->free);", [
         ("realtek_crypto_skcipher.c", ("\trctx->eng = eng;\n"
          "\trctx->encrypt = encrypt;"),
          ("\trctx->eng = eng;\n"
          "\twait_event(eng->room, eng->free);\n"
          "\trctx->encrypt = encrypt;")),
    ]),
    Damage("D13 async but sync", "alg-async", ".cra_flags = CRYPTO_ALG_ASYNC |", [
         ("realtek_crypto_skcipher.c", "\tret = crypto_transfer_skcipher_request_to_engine(eng->engine, req);",
          "\tret = 0;"),
         ("realtek_crypto_skcipher.c", "\tcrypto_finalize_skcipher_request(eng->engine, req, err);\n",
          ""),
         ("realtek_crypto_ahash.c", "\tcrypto_finalize_hash_request(eng->engine, req, err);\n",
          ""),
         ("realtek_crypto_ahash.c", "\tret = crypto_transfer_hash_request_to_engine(eng->engine, req);",
          "\tret = 0;"),
    ]),
    Damage("D14 plain spin_lock", "lock-against-interrupt", "spin_lock_bh(&eng->lock);", [
         ("realtek_crypto.c", ("\tspin_lock_bh(&eng->lock);\n"
          "\tlist_add_tail(&chan->node"),
          ("\tspin_lock(&eng->lock);\n"
          "\tlist_add_tail(&chan->node")),
         ("realtek_crypto.c", "\tatomic_or(status, &eng->status);",
          ("\tspin_lock(&eng->lock);\n"
          "\teng->polled = false;\n"
          "\tspin_unlock(&eng->lock);\n"
          "\tatomic_or(status, &eng->status);")),
    ]),
    Damage("D16 self compare", "self-compare", "if (eng->src_head < first)", [
         ("realtek_crypto.c", ("\tunsigned int first = eng->src_head;\n"
          "\tunsigned int i;"),
          ("\tunsigned int first = eng->src_head;\n"
          "\tunsigned int i;\n"
          "\n"
          "\tif (eng->src_head < first)\n"
          "\t\treturn;")),
    ]),
    Damage("D19 irq none", "irq-none", "static irqreturn_t rtce_interrupt(int irq, void *data)", [
         ("realtek_crypto.c", ("\tif (!status)\n"
          "\t\treturn IRQ_NONE;\n"),
          ""),
    ]),
    Damage("D20 kfree devm", "devm-free", "kfree(eng);", [
         ("realtek_crypto.c", ("\tret = rtce_alloc(eng);\n"
          "\tif (ret)\n"
          "\t\treturn ret;"),
          ("\tret = rtce_alloc(eng);\n"
          "\tif (ret) {\n"
          "\t\tkfree(eng);\n"
          "\t\treturn ret;\n"
          "\t}")),
    ]),
    Damage("D20b iounmap", "devm-free", "iounmap(eng->base);", [
         ("realtek_crypto.c", ("\trtce_unpublish(eng);\n"
          "\tcrypto_engine_exit(eng->engine);\n"
          "}"),
          ("\trtce_unpublish(eng);\n"
          "\tcrypto_engine_exit(eng->engine);\n"
          "\tiounmap(eng->base);\n"
          "}")),
    ]),
    Damage("D21", "err-or-null", "if (IS_ERR_OR_NULL(eng->base))", [
         ("realtek_crypto.c", ("\tif (IS_ERR(eng->base))\n"
          "\t\treturn PTR_ERR(eng->base);"),
          ("\tif (IS_ERR_OR_NULL(eng->base))\n"
          "\t\treturn -EINVAL;")),
    ]),
    Damage("D22 irq early", "irq-before-ready", "ret = devm_request_threaded_irq(dev, irq, rtce_interrupt,", [
         ("realtek_crypto.c", ("\tspin_lock_init(&eng->lock);\n"
          "\tINIT_LIST_HEAD(&eng->active);\n"),
          ""),
         ("realtek_crypto.c", "\teng->engine = crypto_engine_alloc_init_and_set(dev",
          ("\tspin_lock_init(&eng->lock);\n"
          "\tINIT_LIST_HEAD(&eng->active);\n"
          "\teng->engine = crypto_engine_alloc_init_and_set(dev")),
    ]),
    Damage("D23 ignored", "result-ignored", "rtce_register_skciphers();", [
         ("realtek_crypto.c", ("\tret = rtce_register_skciphers();\n"
          "\tif (ret)\n"
          "\t\trtce_unregister_ahashes();\n"),
          "\trtce_register_skciphers();\n"),
    ]),
    Damage("D23b ignored direct", "result-ignored", "crypto_engine_register_skciphers(rtce_skciphers,", [
         ("realtek_crypto_skcipher.c", ("\treturn crypto_engine_register_skciphers(rtce_skciphers,\n"
          "\t\t\t\t\t\tARRAY_SIZE(rtce_skciphers));"),
          ("\tcrypto_engine_register_skciphers(rtce_skciphers,\n"
          "\t\t\t\t\t\tARRAY_SIZE(rtce_skciphers));\n"
          "\treturn 0;")),
    ]),
    Damage("D24 order", "register-before-ready", "crypto_engine_exit(eng->engine);", [
         ("realtek_crypto.c", ("\trtce_unpublish(eng);\n"
          "\tcrypto_engine_exit(eng->engine);\n"
          "}\n"
          "\n"
          "static const"),
          ("\tcrypto_engine_exit(eng->engine);\n"
          "\trtce_unpublish(eng);\n"
          "\trtce_unregister();\n"
          "}\n"
          "\n"
          "static const")),
    ]),
    Damage("D26 static", "static-instance", "rtce_shared.eng = eng;", [
         ("realtek_crypto.c", "\teng->dev = dev;\n",
          ("\teng->dev = dev;\n"
          "\trtce_shared.eng = eng;\n")),
         ("realtek_crypto.c", "static bool rtce_registered;",
          ("static bool rtce_registered;\n"
          "static struct rtce_chan rtce_shared;")),
    ]),
    Damage("D27 vector", "bytes-as-words", "u32 digest[SHA1_DIGEST_SIZE];", [
         ("realtek_crypto.h", ("\tu8 digest[RTCE_DIGEST_SIZE];\n"
          "\tstruct rtce_scratch"),
          ("\tu32 digest[SHA1_DIGEST_SIZE];\n"
          "\tstruct rtce_scratch")),
    ]),
    Damage("D28 misplaced", "request-misplaced", "struct ahash_request *subreq = (struct ahash_request *)&rctx->begun;", [
         ("realtek_crypto_ahash.c", "\tstruct ahash_request *subreq = &rctx->fallback_req;",
          "\tstruct ahash_request *subreq = (struct ahash_request *)&rctx->begun;"),
    ]),
    Damage("D29 callback", "fallback-callback", "ahash_request_set_tfm(subreq, ctx->fallback);", [
         ("realtek_crypto_ahash.c", ("\tahash_request_set_callback(subreq, flags, req->base.complete,\n"
          "\t\t\t\t   req->base.data);\n"),
          ""),
    ]),
    Damage("D30 import ignored", "result-ignored", "crypto_ahash_import(rtce_ahash_fallback(req), in);", [
         ("realtek_crypto_ahash.c", "\treturn crypto_ahash_import(rtce_ahash_fallback(req), in);",
          ("\tcrypto_ahash_import(rtce_ahash_fallback(req), in);\n"
          "\treturn 0;")),
    ]),
    Damage("D31 read before set", "context-read-before-set", 'dev_err(ctx->eng->dev, "no fallback\\n");', [
         ("realtek_crypto_ahash.c", ("\tstruct crypto_ahash *fallback;\n"
          "};"),
          ("\tstruct crypto_ahash *fallback;\n"
          "\tstruct rtce *eng;\n"
          "};")),
         ("realtek_crypto_ahash.c", ("\tif (IS_ERR(ctx->fallback))\n"
          "\t\treturn PTR_ERR(ctx->fallback);\n"),
          ("\tif (IS_ERR(ctx->fallback)) {\n"
          "\t\tdev_err(ctx->eng->dev, \"no fallback\\n\");\n"
          "\t\treturn PTR_ERR(ctx->fallback);\n"
          "\t}\n"
          "\tctx->eng = rtce_get();\n")),
    ]),
    Damage("D33 len unset", "unset-variable", "rtce_begin(chan, opmode, req->nbytes + len);", [
         ("realtek_crypto_ahash.c", "\tlen = rtce_ahash_pad(scratch->pad, req->nbytes, md5);\n",
          ("\tif (md5)\n"
          "\t\tlen = rtce_ahash_pad(scratch->pad, req->nbytes, md5);\n")),
    ]),
    Damage("D35 inplace", "list-cursor-compared", "if (sg == req->src)", [
         ("realtek_crypto_skcipher.c", ("\tfor (; skip >= sg->length; sg = sg_next(sg))\n"
          "\t\tskip -= sg->length;\n"),
          ("\tfor (; skip >= sg->length; sg = sg_next(sg))\n"
          "\t\tskip -= sg->length;\n"
          "\tif (sg == req->src)\n"
          "\t\treturn 0;\n")),
    ]),
    Damage("D36", "alg-chunksize", '.cra_name = "ctr(aes)",', [
         ("realtek_crypto_skcipher.c", "\t\t.base.chunksize = AES_BLOCK_SIZE,\n",
          ""),
    ]),
    Damage("D37", "key-not-wiped", "struct crypto_aes_ctx aes;", [
         ("realtek_crypto_skcipher.c", "\tmemzero_explicit(&aes, sizeof(aes));\n",
          ""),
    ]),
    Damage("D38", "dma-map-unchecked", "ctx->keylen = dma_map_single(NULL, ctx->enc_key, keylen, DMA_TO_DEVICE);", [
         ("realtek_crypto_skcipher.c", "\tmemcpy(ctx->enc_key, key, keylen);\n",
          ("\tmemcpy(ctx->enc_key, key, keylen);\n"
          "\tctx->keylen = dma_map_single(NULL, ctx->enc_key, keylen, DMA_TO_DEVICE);\n")),
    ]),
    Damage("D39", "alg-kern-driver-only", ".cra_flags = CRYPTO_ALG_ASYNC |", [
         ("realtek_crypto_skcipher.c", "\t\t\t\t     CRYPTO_ALG_KERN_DRIVER_ONLY |\n",
          ""),
    ]),
    Damage("D41 phys_addr_t", "hw-struct-width", "phys_addr_t addr;", [
         ("realtek_crypto.h", ("\t__be32 pad;\n"
          "\t__be32 addr;\n"
          "};"),
          ("\t__be32 pad;\n"
          "\tphys_addr_t addr;\n"
          "};")),
    ]),
    Damage("D41b plain u32", "endian-mix", "desc->opmode = cpu_to_be32(opmode);", [
         ("realtek_crypto.h", ("\t__be32 opmode;\n"
          "\t__be32 total;"),
          ("\tu32 opmode;\n"
          "\t__be32 total;")),
    ]),
    Damage("D42", "pointer-truncated", "iowrite32((u32)eng->src_ring, eng->base + RTCE_REG_SRC);", [
         ("realtek_crypto.c", "\tiowrite32(lower_32_bits(eng->src_dma), eng->base + RTCE_REG_SRC);",
          "\tiowrite32((u32)eng->src_ring, eng->base + RTCE_REG_SRC);"),
    ]),
    Damage("D43", "extern-inline", "inline void rtce_put(struct rtce *eng)", [
         ("realtek_crypto.h", "void rtce_put(struct rtce *eng);",
          "extern inline void rtce_put(struct rtce *eng);"),
         ("realtek_crypto.c", ("void rtce_put(struct rtce *eng)\n"
          "{"),
          ("inline void rtce_put(struct rtce *eng)\n"
          "{")),
    ]),
    Damage("D44", "prototype-without-body", "void rtce_lock_ring(struct rtce *eng);", [
         ("realtek_crypto.h", "void rtce_put(struct rtce *eng);",
          ("void rtce_put(struct rtce *eng);\n"
          "void rtce_lock_ring(struct rtce *eng);")),
    ]),
    Damage("D45", "endian-mix", "desc->total = total;", [
         ("realtek_crypto.c", "\tdesc->total = cpu_to_be32(total);",
          "\tdesc->total = total;"),
    ]),
]
