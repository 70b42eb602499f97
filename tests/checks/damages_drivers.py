"""Damages to two small correct drivers of the usual make.

Each damage names the check that has to find it and the source line it has to point to.
"""

from __future__ import annotations

from checks_damage import Damage

# fmt: off
# ruff: noqa: E501

DAMAGES: list[Damage] = [
    Damage("unmap src with mapped", "dma-unmap-count", "dma_unmap_sg(eng->dev, req->src, rctx->src_mapped, DMA_TO_DEVICE);", [
         ("eng.c", ("dma_unmap_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);\n"
          "}"),
          ("dma_unmap_sg(eng->dev, req->src, rctx->src_mapped, DMA_TO_DEVICE);\n"
          "}")),
    ]),
    Damage("unmap dst wrong dir", "dma-direction", "dma_unmap_sg(eng->dev, req->dst, rctx->dst_entries, DMA_TO_DEVICE);", [
         ("eng.c", "dma_unmap_sg(eng->dev, req->dst, rctx->dst_entries, DMA_FROM_DEVICE);",
          "dma_unmap_sg(eng->dev, req->dst, rctx->dst_entries, DMA_TO_DEVICE);"),
    ]),
    Damage("unmap missing on err", "resource-leak", "return -ENOMEM;", [
         ("eng.c", ("\tif (!rctx->dst_mapped)\n"
          "\t\tgoto unmap_src;\n"
          "\treturn 0;\n"
          "\n"
          "unmap_src:\n"
          "\tdma_unmap_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);\n"
          "\treturn -ENOMEM;"),
          ("\tif (!rctx->dst_mapped)\n"
          "\t\treturn -ENOMEM;\n"
          "\treturn 0;")),
    ]),
    Damage("map unchecked", "dma-map-unchecked", "rctx->src_mapped = dma_map_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);", [
         ("eng.c", ("\tif (!rctx->src_mapped)\n"
          "\t\treturn -ENOMEM;\n"),
          ""),
    ]),
    Damage("map neg", "dma-map-sg-negative", "if (rctx->src_mapped < 0)", [
         ("eng.c", ("\tif (!rctx->src_mapped)\n"
          "\t\treturn -ENOMEM;\n"),
          ("\tif (rctx->src_mapped < 0)\n"
          "\t\treturn -ENOMEM;\n")),
    ]),
    Damage("overwritten count", "dma-unmap-count", "dma_unmap_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);", [
         ("eng.c", ("rctx->src_mapped = dma_map_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);\n"
          "\tif (!rctx->src_mapped)"),
          ("rctx->src_entries = dma_map_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);\n"
          "\tif (!rctx->src_entries)")),
    ]),
    Damage("nents unchecked", "nents-unchecked", "rctx->src_entries = sg_nents_for_len(req->src, req->cryptlen);", [
         ("eng.c", ("\tif (rctx->src_entries < 0)\n"
          "\t\treturn rctx->src_entries;\n"),
          ""),
    ]),
    Damage("nents negated", "errno-sign", "return -rctx->src_entries;", [
         ("eng.c", "\t\treturn rctx->src_entries;\n",
          "\t\treturn -rctx->src_entries;\n"),
    ]),
    Damage("nents unsigned", "unsigned-negative", "if (rctx->src_entries < 0)", [
         ("eng.c", "\tint src_entries;",
          "\tunsigned int src_entries;"),
    ]),
    Damage("no unmap dst", "dma-handle-lost", "rctx->dst_mapped = dma_map_sg(eng->dev, req->dst, rctx->dst_entries, DMA_FROM_DEVICE);", [
         ("eng.c", "\tdma_unmap_sg(eng->dev, req->dst, rctx->dst_entries, DMA_FROM_DEVICE);\n",
          ""),
    ]),
    Damage("le32 missing", "endian-mix", "desc->length = req->cryptlen;", [
         ("eng.c", "desc->length = cpu_to_le32(req->cryptlen);",
          "desc->length = req->cryptlen;"),
    ]),
    Damage("be32 for le32", "endian-mix", "desc->length = cpu_to_be32(req->cryptlen);", [
         ("eng.c", "desc->length = cpu_to_le32(req->cryptlen);",
          "desc->length = cpu_to_be32(req->cryptlen);"),
    ]),
    Damage("virt addr", "dma-address-origin", "desc->source = cpu_to_le32(virt_to_phys(sg_virt(req->src)));", [
         ("eng.c", "lower_32_bits(sg_dma_address(req->src))",
          "virt_to_phys(sg_virt(req->src))"),
    ]),
    Damage("spin_lock in process", "lock-against-interrupt", "spin_lock(&eng->lock);", [
         ("eng.c", ("\tspin_lock_irqsave(&eng->lock, flags);\n"
          "\teng->req = req;"),
          ("\tspin_lock(&eng->lock);\n"
          "\teng->req = req;")),
    ]),
    Damage("early return locked", "lock-balance", "return;", [
         ("eng.c", ("\teng->req = NULL;\n"
          "\tspin_unlock_irq"),
          ("\teng->req = NULL;\n"
          "\tif (!req)\n"
          "\t\treturn;\n"
          "\tspin_unlock_irq")),
    ]),
    Damage("GFP_KERNEL under lock", "sleep-in-atomic", "eng->ring = kzalloc(64, GFP_KERNEL);", [
         ("eng.c", "\teng_fill(eng, req);",
          ("\teng->ring = kzalloc(64, GFP_KERNEL);\n"
          "\teng_fill(eng, req);")),
    ]),
    Damage("mutex in tasklet", "sleep-in-atomic", "mutex_lock(&eng->mutex);", [
         ("eng.c", ("\teng_unmap(eng, req);\n"
          "\tcrypto_fin"),
          ("\tmutex_lock(&eng->mutex);\n"
          "\teng_unmap(eng, req);\n"
          "\tmutex_unlock(&eng->mutex);\n"
          "\tcrypto_fin")),
    ]),
    Damage("sleep in irq", "sleep-in-atomic", "usleep_range(10, 20);", [
         ("eng.c", "\ttasklet_schedule(&eng->done);",
          ("\tusleep_range(10, 20);\n"
          "\ttasklet_schedule(&eng->done);")),
    ]),
    Damage("irq handled always", "irq-none", "static irqreturn_t eng_interrupt(int irq, void *data)", [
         ("eng.c", ("\tif (!status)\n"
          "\t\treturn IRQ_NONE;\n"),
          ""),
    ]),
    Damage("pm put missing on err", "resource-leak", "return ret;", [
         ("eng.c", ("\tret = eng_map(eng, req);\n"
          "\tif (ret)\n"
          "\t\tgoto put;"),
          ("\tret = eng_map(eng, req);\n"
          "\tif (ret)\n"
          "\t\treturn ret;")),
    ]),
    Damage("pm get_sync unbalanced", "resource-leak", "return ret;", [
         ("eng.c", "\tret = pm_runtime_resume_and_get(eng->dev);",
          "\tret = pm_runtime_get_sync(eng->dev);"),
    ]),
    Damage("pm put missing ok", "resource-leak", "return 0;", [
         ("eng.c", ("\tpm_runtime_put_autosuspend(eng->dev);\n"
          "\treturn 0;"),
          "\treturn 0;"),
    ]),
    Damage("callback missing", "fallback-callback", "skcipher_request_set_tfm(&rctx->soft, ctx->fallback);", [
         ("eng.c", ("\tskcipher_request_set_callback(&rctx->soft, req->base.flags, req->base.complete,\n"
          "\t\t\t\t      req->base.data);\n"),
          ""),
    ]),
    Damage("wait in encrypt", "sleep-in-request", "wait_for_completion(&ctx->eng->idle);", [
         ("eng.c", "\trctx->encrypt = encrypt;",
          ("\twait_for_completion(&ctx->eng->idle);\n"
          "\trctx->encrypt = encrypt;")),
    ]),
    Damage("wipe missing", "key-not-wiped", "struct crypto_aes_ctx aes;", [
         ("eng.c", "\tmemzero_explicit(&aes, sizeof(aes));\n",
          ""),
    ]),
    Damage("wipe memset", "key-not-wiped", "struct crypto_aes_ctx aes;", [
         ("eng.c", "\tmemzero_explicit(&aes, sizeof(aes));\n",
          "\tmemset(&aes, 0, sizeof(aes));\n"),
    ]),
    Damage("expandkey ignored", "result-ignored", "aes_expandkey(&aes, key, keylen);", [
         ("eng.c", ("\tret = aes_expandkey(&aes, key, keylen);\n"
          "\tif (ret)\n"
          "\t\treturn ret;"),
          "\taes_expandkey(&aes, key, keylen);"),
    ]),
    Damage("key array bytes", "bytes-as-words", "u32 key[AES_MAX_KEY_SIZE];", [
         ("eng.c", "u32 key[AES_MAX_KEY_SIZE / sizeof(u32)];",
          "u32 key[AES_MAX_KEY_SIZE];"),
    ]),
    Damage("fallback flags", "fallback-flags", "return crypto_skcipher_setkey(ctx->fallback, key, keylen);", [
         ("eng.c", "\tcrypto_skcipher_clear_flags(ctx->fallback, CRYPTO_TFM_REQ_MASK);\n",
          ""),
    ]),
    Damage("fallback setkey ignored", "result-ignored", "crypto_skcipher_setkey(ctx->fallback, key, keylen);", [
         ("eng.c", "\treturn crypto_skcipher_setkey(ctx->fallback, key, keylen);",
          ("\tcrypto_skcipher_setkey(ctx->fallback, key, keylen);\n"
          "\treturn 0;")),
    ]),
    Damage("fallback IS_ERR missing", "result-unchecked", "ctx->fallback = crypto_alloc_skcipher(name, 0, CRYPTO_ALG_NEED_FALLBACK);", [
         ("eng.c", ("\tif (IS_ERR(ctx->fallback)) {\n"
          "\t\tdev_err(ctx->eng->dev, \"no software version of %s\\n\", name);\n"
          "\t\treturn PTR_ERR(ctx->fallback);\n"
          "\t}\n"),
          ""),
    ]),
    Damage("fallback null check", "err-or-null", "if (!ctx->fallback) {", [
         ("eng.c", "\tif (IS_ERR(ctx->fallback)) {",
          "\tif (!ctx->fallback) {"),
    ]),
    Damage("fallback leak", "remove-missing", "ctx->fallback = crypto_alloc_skcipher(name, 0, CRYPTO_ALG_NEED_FALLBACK);", [
         ("eng.c", "\tcrypto_free_skcipher(ctx->fallback);\n",
          ""),
    ]),
    Damage("fallback mask", "fallback-mask", "ctx->fallback = crypto_alloc_skcipher(name, 0, CRYPTO_ALG_ASYNC);", [
         ("eng.c", "crypto_alloc_skcipher(name, 0, CRYPTO_ALG_NEED_FALLBACK)",
          "crypto_alloc_skcipher(name, 0, CRYPTO_ALG_ASYNC)"),
    ]),
    Damage("reqsize", "fallback-reqsize", "crypto_skcipher_set_reqsize(tfm, sizeof(struct eng_reqctx));", [
         ("eng.c", ("sizeof(struct eng_reqctx) +\n"
          "\t\t\t\t    crypto_skcipher_reqsize(ctx->fallback)"),
          "sizeof(struct eng_reqctx)"),
    ]),
    Damage("req not last", "fallback-last-member", "struct skcipher_request soft;", [
         ("eng.c", ("\tbool encrypt;\n"
          "\tstruct skcipher_request soft;"),
          ("\tstruct skcipher_request soft;\n"
          "\tbool encrypt;")),
    ]),
    Damage("ctx before set", "context-read-before-set", 'dev_err(ctx->eng->dev, "no software version of %s\\n", name);', [
         ("eng.c", "\tctx->eng = eng_device;\n",
          ""),
         ("eng.c", "\tcrypto_skcipher_set_reqsize(tfm, sizeof",
          ("\tctx->eng = eng_device;\n"
          "\tcrypto_skcipher_set_reqsize(tfm, sizeof")),
    ]),
    Damage("NEED_FALLBACK dropped", "alg-need-fallback", ".cra_flags = CRYPTO_ALG_ASYNC |", [
         ("eng.c", "CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |",
          "CRYPTO_ALG_ASYNC |"),
    ]),
    Damage("ASYNC dropped", "alg-async", ".cra_flags = CRYPTO_ALG_NEED_FALLBACK |", [
         ("eng.c", "CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |",
          "CRYPTO_ALG_NEED_FALLBACK |"),
    ]),
    Damage("blocksize 1", "alg-blocksize", ".cra_blocksize = 1,", [
         ("eng.c", ".cra_blocksize = AES_BLOCK_SIZE,",
          ".cra_blocksize = 1,"),
    ]),
    Damage("ivsize gone", "alg-ivsize", '.cra_name = "cbc(aes)",', [
         ("eng.c", "\t\t.base.ivsize = AES_BLOCK_SIZE,\n",
          ""),
    ]),
    Damage("ecb with ivsize", "alg-ivsize", ".base.ivsize = AES_BLOCK_SIZE,", [
         ("eng.c", '"cbc(aes)"',
          '"ecb(aes)"'),
    ]),
    Damage("ctr blocksize", "alg-chunksize", '.cra_name = "ctr(aes)",', [
         ("eng.c", '"cbc(aes)"',
          '"ctr(aes)"'),
    ]),
    Damage("no min keysize", "alg-keysize", '.cra_name = "cbc(aes)",', [
         ("eng.c", "\t\t.base.min_keysize = AES_MIN_KEY_SIZE,\n",
          ""),
    ]),
    Damage("clk leak", "resource-leak", "return -ENOMEM;", [
         ("eng.c", ("\tif (!eng->ring) {\n"
          "\t\tret = -ENOMEM;\n"
          "\t\tgoto disable;\n"
          "\t}"),
          ("\tif (!eng->ring)\n"
          "\t\treturn -ENOMEM;")),
    ]),
    Damage("clk ignored", "result-ignored", "clk_prepare_enable(eng->clk);", [
         ("eng.c", ("\tret = clk_prepare_enable(eng->clk);\n"
          "\tif (ret)\n"
          "\t\treturn ret;"),
          "\tclk_prepare_enable(eng->clk);"),
    ]),
    Damage("ring unchecked", "result-unchecked", "eng->ring = dma_alloc_coherent(eng->dev, ENG_SLOTS * sizeof(*eng->ring), &eng->ring_dma,", [
         ("eng.c", ("\tif (!eng->ring) {\n"
          "\t\tret = -ENOMEM;\n"
          "\t\tgoto disable;\n"
          "\t}\n"),
          ""),
    ]),
    Damage("ring free size", "dma-size", "dma_free_coherent(eng->dev, sizeof(*eng->ring), eng->ring, eng->ring_dma);", [
         ("eng.c", "dma_free_coherent(eng->dev, ENG_SLOTS * sizeof(*eng->ring)",
          "dma_free_coherent(eng->dev, sizeof(*eng->ring)"),
    ]),
    Damage("ring not freed", "dma-handle-lost", "eng->ring = dma_alloc_coherent(eng->dev, ENG_SLOTS * sizeof(*eng->ring), &eng->ring_dma,", [
         ("eng.c", "\tdma_free_coherent(eng->dev, ENG_SLOTS * sizeof(*eng->ring), eng->ring, eng->ring_dma);\n",
          ""),
    ]),
    Damage("clk not disabled on stop", "remove-missing", "ret = clk_prepare_enable(eng->clk);", [
         ("eng.c", ("\tclk_disable_unprepare(eng->clk);\n"
          "}"),
          "}"),
    ]),
    Damage("error code lost probe", "error-returned-as-success", "goto stop;", [
         ("eng.c", ("\tif (!eng->queue) {\n"
          "\t\tret = -ENOMEM;\n"
          "\t\tgoto stop;"),
          ("\tif (!eng->queue) {\n"
          "\t\tgoto stop;")),
    ]),
    Damage("irq before init", "irq-before-ready", "ret = request_irq(eng->irq, eng_interrupt, 0, dev_name(dev), eng);", [
         ("eng.c", ("\tspin_lock_init(&eng->lock);\n"
          "\ttasklet_setup(&eng->done, eng_tasklet);\n"),
          ""),
         ("eng.c", "\tret = crypto_engine_start(eng->queue);",
          ("\tspin_lock_init(&eng->lock);\n"
          "\ttasklet_setup(&eng->done, eng_tasklet);\n"
          "\tret = crypto_engine_start(eng->queue);")),
    ]),
    Damage("register ignored", "result-ignored", "crypto_engine_register_skciphers(eng_algs, ARRAY_SIZE(eng_algs));", [
         ("eng.c", ("\tret = crypto_engine_register_skciphers(eng_algs, ARRAY_SIZE(eng_algs));\n"
          "\tif (ret)\n"
          "\t\tgoto disable_pm;\n"),
          "\tcrypto_engine_register_skciphers(eng_algs, ARRAY_SIZE(eng_algs));\n"),
    ]),
    Damage("register too early", "register-before-ready", "ret = crypto_engine_register_skciphers(eng_algs, ARRAY_SIZE(eng_algs));", [
         ("eng.c", ("\tret = crypto_engine_register_skciphers(eng_algs, ARRAY_SIZE(eng_algs));\n"
          "\tif (ret)\n"
          "\t\tgoto disable_pm;\n"),
          ""),
         ("eng.c", "\teng->queue = crypto_engine_alloc_init",
          ("\tret = crypto_engine_register_skciphers(eng_algs, ARRAY_SIZE(eng_algs));\n"
          "\tif (ret)\n"
          "\t\tgoto stop;\n"
          "\teng->queue = crypto_engine_alloc_init")),
    ]),
    Damage("wrong goto", "resource-leak", "goto exit_queue;", [
         ("eng.c", ("\tif (ret)\n"
          "\t\tgoto free_irq;"),
          ("\tif (ret)\n"
          "\t\tgoto exit_queue;")),
    ]),
    Damage("wrong goto2", "resource-leak", "goto free_irq;", [
         ("eng.c", ("\tif (ret)\n"
          "\t\tgoto disable_pm;"),
          ("\tif (ret)\n"
          "\t\tgoto free_irq;")),
    ]),
    Damage("pm disable missing in err", "resource-leak", "goto disable_pm;", [
         ("eng.c", ("disable_pm:\n"
          "\tpm_runtime_disable(dev);\n"
          "free"),
          ("disable_pm:\n"
          "free")),
    ]),
    Damage("free_irq missing in err", "resource-leak", "goto free_irq;", [
         ("eng.c", ("free_irq:\n"
          "\tfree_irq(eng->irq, eng);\n"),
          "free_irq:\n"),
    ]),
    Damage("return instead of goto", "resource-leak", "return ret;", [
         ("eng.c", ("\tif (ret)\n"
          "\t\tgoto exit_queue;"),
          ("\tif (ret)\n"
          "\t\treturn ret;")),
    ]),
    Damage("remove: no unregister", "remove-missing", "ret = crypto_engine_register_skciphers(eng_algs, ARRAY_SIZE(eng_algs));", [
         ("eng.c", "\tcrypto_engine_unregister_skciphers(eng_algs, ARRAY_SIZE(eng_algs));\n",
          ""),
    ]),
    Damage("remove: no free_irq", "remove-missing", "ret = request_irq(eng->irq, eng_interrupt, 0, dev_name(dev), eng);", [
         ("eng.c", ("\tfree_irq(eng->irq, eng);\n"
          "\ttasklet_kill"),
          "\ttasklet_kill"),
    ]),
    Damage("remove: no engine exit", "remove-missing", "eng->queue = crypto_engine_alloc_init(dev, true);", [
         ("eng.c", ("\tcrypto_engine_exit(eng->queue);\n"
          "\teng_stop"),
          "\teng_stop"),
    ]),
    Damage("remove: no pm disable", "remove-missing", "pm_runtime_enable(dev);", [
         ("eng.c", "\tpm_runtime_disable(&pdev->dev);\n",
          ""),
    ]),
    Damage("remove order", "register-before-ready", "pm_runtime_disable(&pdev->dev);", [
         ("eng.c", ("\tcrypto_engine_unregister_skciphers(eng_algs, ARRAY_SIZE(eng_algs));\n"
          "\tpm_runtime_disable(&pdev->dev);\n"
          "\tfree_irq(eng->irq, eng);\n"),
          ("\tpm_runtime_disable(&pdev->dev);\n"
          "\tfree_irq(eng->irq, eng);\n"
          "\tcrypto_engine_unregister_skciphers(eng_algs, ARRAY_SIZE(eng_algs));\n")),
    ]),
    Damage("remove: stop first", "remove-missing", "ret = clk_prepare_enable(eng->clk);", [
         ("eng.c", ("\tcrypto_engine_exit(eng->queue);\n"
          "\teng_stop(eng);\n"
          "}"),
          ("\tcrypto_engine_exit(eng->queue);\n"
          "}")),
    ]),
    Damage("stop before unregister", "register-before-ready", "eng_stop(eng);", [
         ("eng.c", "\tcrypto_engine_unregister_skciphers(eng_algs, ARRAY_SIZE(eng_algs));\n",
          ("\teng_stop(eng);\n"
          "\tcrypto_engine_unregister_skciphers(eng_algs, ARRAY_SIZE(eng_algs));\n")),
         ("eng.c", ("\tcrypto_engine_exit(eng->queue);\n"
          "\teng_stop(eng);\n"
          "}"),
          ("\tcrypto_engine_exit(eng->queue);\n"
          "}")),
    ]),
    Damage("kfree devm", "devm-free", "kfree(eng);", [
         ("eng.c", ("\tcrypto_engine_exit(eng->queue);\n"
          "\teng_stop(eng);\n"
          "}"),
          ("\tcrypto_engine_exit(eng->queue);\n"
          "\teng_stop(eng);\n"
          "\tkfree(eng);\n"
          "}")),
    ]),
    Damage("devm clk put", "devm-free", "clk_put(eng->clk);", [
         ("eng.c", ("\tclk_disable_unprepare(eng->clk);\n"
          "}"),
          ("\tclk_disable_unprepare(eng->clk);\n"
          "\tclk_put(eng->clk);\n"
          "}")),
    ]),
    Damage("irq <= 0 unsigned", "irq-unsigned", "eng->irq = platform_get_irq(pdev, 0);", [
         ("eng.c", ("\tint irq;\n"
          "};"),
          ("\tunsigned int irq;\n"
          "};")),
    ]),
    Damage("base !", "err-or-null", "if (!eng->base)", [
         ("eng.c", "\tif (IS_ERR(eng->base))",
          "\tif (!eng->base)"),
    ]),
    Damage("base IS_ERR_OR_NULL", "err-or-null", "if (IS_ERR_OR_NULL(eng->base))", [
         ("eng.c", "\tif (IS_ERR(eng->base))",
          "\tif (IS_ERR_OR_NULL(eng->base))"),
    ]),
    Damage("wrong PTR_ERR", "ptr-err-other", "return PTR_ERR(eng->base);", [
         ("eng.c", "\t\treturn PTR_ERR(eng->clk);",
          "\t\treturn PTR_ERR(eng->base);"),
    ]),
    Damage("errno replaced", "errno-lost", "return -EINVAL;", [
         ("eng.c", "\t\treturn PTR_ERR(eng->clk);",
          "\t\treturn -EINVAL;"),
    ]),
    Damage("sentinel", "id-table-sentinel", "static const struct of_device_id eng_match[] = {", [
         ("eng.c", ("\t{ .compatible = \"example,engine-1\" },\n"
          "\t{ }\n"),
          '\t{ .compatible = "example,engine-1" }\n'),
    ]),
    Damage("mdt", "device-table-missing", "static const struct of_device_id eng_match[] = {", [
         ("eng.c", "MODULE_DEVICE_TABLE(of, eng_match);\n",
          ""),
    ]),
    Damage("bus", "device-table-bus", "MODULE_DEVICE_TABLE(pci, eng_match);", [
         ("eng.c", "MODULE_DEVICE_TABLE(of,",
          "MODULE_DEVICE_TABLE(pci,"),
    ]),
    Damage("license", "module-license", "module_platform_driver(eng_driver);", [
         ("eng.c", 'MODULE_LICENSE("GPL");\n',
          ""),
    ]),
    Damage("license unknown", "module-license", 'MODULE_LICENSE("GPL3");', [
         ("eng.c", 'MODULE_LICENSE("GPL");\n',
          'MODULE_LICENSE("GPL3");\n'),
    ]),
    Damage("description", "module-description", "module_platform_driver(eng_driver);", [
         ("eng.c", 'MODULE_DESCRIPTION("Example crypto engine");\n',
          ""),
    ]),
    Damage("parm", "module-parm-desc", "module_param(min_size, uint, 0644);", [
         ("eng.c", "MODULE_PARM_DESC(min_size, \"Smallest request for the engine in bytes\");\n",
          ""),
    ]),
    Damage("static", "missing-static", "unsigned int min_size = 256;", [
         ("eng.c", "static unsigned int min_size",
          "unsigned int min_size"),
    ]),
    Damage("unset ret", "unset-variable", "return ret;", [
         ("eng.c", ("\tint ret;\n"
          "\n"
          "\tret = clk_prepare_enable"),
          ("\tint ret;\n"
          "\n"
          "\tif (!eng->base)\n"
          "\t\treturn ret;\n"
          "\tret = clk_prepare_enable")),
    ]),
    Damage("setkey sig", "ops-signature", ".base.setkey = eng_setkey,", [
         ("eng.c", "static int eng_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int keylen)",
          "static int eng_setkey(struct crypto_skcipher *tfm, u8 *key, unsigned int keylen)"),
    ]),
    Damage("remove int", "ops-signature", ".remove = eng_remove,", [
         ("eng.c", "static void eng_remove",
          "static int eng_remove"),
    ]),
    Damage("phys addr", "hw-struct-width", "dma_addr_t source;", [
         ("eng.c", "\t__le32 source;",
          "\tdma_addr_t source;"),
    ]),
    Damage("use after free", "use-after-free", "eng->ring->control = 0;", [
         ("eng.c", ("\tfree_irq(eng->irq, eng);\n"
          "\ttasklet_kill(&eng->done);"),
          ("\tfree_irq(eng->irq, eng);\n"
          "\tkfree(eng->ring);\n"
          "\teng->ring->control = 0;\n"
          "\ttasklet_kill(&eng->done);")),
    ]),
    Damage("double free irq", "use-after-free", "free_irq(eng->irq, eng);", [
         ("eng.c", ("\tfree_irq(eng->irq, eng);\n"
          "\ttasklet_kill"),
          ("\tfree_irq(eng->irq, eng);\n"
          "\tfree_irq(eng->irq, eng);\n"
          "\ttasklet_kill")),
    ]),
    Damage("finalize w/o unmap", "unused-function", "static void eng_unmap(struct eng *eng, struct skcipher_request *req)", [
         ("eng.c", ("\teng_unmap(eng, req);\n"
          "\tcrypto_finalize"),
          "\tcrypto_finalize"),
    ]),
    Damage("errno positive", "errno-sign", "ret = ENOMEM;", [
         ("eng.c", ("\t\tret = -ENOMEM;\n"
          "\t\tgoto stop;"),
          ("\t\tret = ENOMEM;\n"
          "\t\tgoto stop;")),
    ]),
    Damage("stack dma", "dma-from-stack", "desc->source = cpu_to_le32(dma_map_single(eng->dev, iv, 16, DMA_TO_DEVICE));", [
         ("eng.c", "\tdesc->source = cpu",
          ("\tu8 iv[16];\n"
          "\tdesc->source = cpu_to_le32(dma_map_single(eng->dev, iv, 16, DMA_TO_DEVICE));\n"
          "\tdesc->source = cpu")),
    ]),
    Damage("memcmp tag", "secret-memcmp", "if (memcmp(ctx->mac, key, ctx->maclen))", [
         ("eng.c", "\tctx->keylen = keylen;",
          ("\tctx->keylen = keylen;\n"
          "\tif (memcmp(ctx->mac, key, ctx->maclen))\n"
          "\t\treturn -EBADMSG;")),
    ]),
    Damage("alloc in path", "alg-allocates-memory", ".cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |", [
         ("eng.c", "\trctx->encrypt = encrypt;",
          ("\trctx->encrypt = encrypt;\n"
          "\trctx->buf = kmalloc(64, GFP_ATOMIC);\n"
          "\tif (!rctx->buf)\n"
          "\t\treturn -ENOMEM;")),
    ]),
    Damage("GFP_KERNEL in path", "alg-allocates-memory", ".cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |", [
         ("eng.c", "\trctx->encrypt = encrypt;",
          ("\trctx->encrypt = encrypt;\n"
          "\trctx->buf = kmalloc(64, GFP_KERNEL);\n"
          "\tif (!rctx->buf)\n"
          "\t\treturn -ENOMEM;")),
    ]),
    Damage("cra_module", "alg-identity", '.cra_name = "cbc(aes)",', [
         ("eng.c", "\t\t\t.cra_module = THIS_MODULE,\n",
          ""),
    ]),
    Damage("negative irq check <=", "irq-unsigned", "eng->irq = platform_get_irq(pdev, 0);", [
         ("eng.c", ("\tif (eng->irq < 0)\n"
          "\t\treturn eng->irq;\n"),
          ""),
    ]),
    Damage("fragile sizeof", "sizeof-pointer", "memzero_explicit(&aes, sizeof(&aes));", [
         ("eng.c", "memzero_explicit(&aes, sizeof(aes));",
          "memzero_explicit(&aes, sizeof(&aes));"),
    ]),
    Damage("no of match", "device-table-unused", "static const struct of_device_id eng_match[] = {", [
         ("eng.c", "\t\t.of_match_table = eng_match,\n",
          ""),
    ]),
    Damage("assert", "hw-struct-pinned", "struct eng_desc {", [
         ("eng.c", "static_assert(sizeof(struct eng_desc) == 16);\n",
          ""),
    ]),
    Damage("kzalloc unchecked", "result-unchecked", "eng = devm_kzalloc(dev, sizeof(*eng), GFP_KERNEL);", [
         ("eng.c", ("\tif (!eng)\n"
          "\t\treturn -ENOMEM;\n"),
          ""),
    ]),
    Damage("dma_mapping of coherent dir", "dma-direction", "dma_unmap_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);", [
         ("eng.c", ("DMA_TO_DEVICE);\n"
          "\tif (!rctx->src_mapped)"),
          ("DMA_FROM_DEVICE);\n"
          "\tif (!rctx->src_mapped)")),
    ]),
    Damage("no include dma", "include-used", "rctx->src_mapped = dma_map_sg(eng->dev, req->src, rctx->src_entries, DMA_TO_DEVICE);", [
         ("eng.c", "#include <linux/dma-mapping.h>\n",
          ""),
    ]),
    Damage("compare self", "self-compare", "if (req->cryptlen < req->cryptlen)", [
         ("eng.c", "\tif (req->cryptlen < READ_ONCE(min_size))",
          "\tif (req->cryptlen < req->cryptlen)"),
    ]),
    Damage("end missing", "lock-balance", "return -EINVAL;", [
         ("neon.c", ("\t\treturn -EINVAL;\n"
          "\tkernel_neon_begin();\n"
          "\texample_sha1"),
          ("\t\treturn -EINVAL;\n"
          "\tkernel_neon_begin();\n"
          "\tif (!len)\n"
          "\t\treturn -EINVAL;\n"
          "\texample_sha1")),
    ]),
    Damage("end missing2", "lock-balance", "return 0;", [
         ("neon.c", ("\texample_sha1(state->state, data, len / SHA1_BLOCK_SIZE);\n"
          "\tkernel_neon_end();"),
          "\texample_sha1(state->state, data, len / SHA1_BLOCK_SIZE);"),
    ]),
    Damage("walk done inside", "walk-in-simd", "err = skcipher_walk_done(&walk, walk.nbytes % AES_BLOCK_SIZE);", [
         ("neon.c", ("\t\tkernel_neon_end();\n"
          "\t\terr = skcipher_walk_done(&walk, walk.nbytes % AES_BLOCK_SIZE);"),
          ("\t\terr = skcipher_walk_done(&walk, walk.nbytes % AES_BLOCK_SIZE);\n"
          "\t\tkernel_neon_end();")),
    ]),
    Damage("mutex inside", "sleep-in-atomic", "mutex_lock(&example_lock);", [
         ("neon.c", ("\tkernel_neon_begin();\n"
          "\texample_sha1"),
          ("\tkernel_neon_begin();\n"
          "\tmutex_lock(&example_lock);\n"
          "\texample_sha1")),
    ]),
    Damage("kmalloc inside", "sleep-in-atomic", "state->tmp = kmalloc(64, GFP_KERNEL);", [
         ("neon.c", ("\tkernel_neon_begin();\n"
          "\texample_sha1"),
          ("\tkernel_neon_begin();\n"
          "\tstate->tmp = kmalloc(64, GFP_KERNEL);\n"
          "\texample_sha1")),
    ]),
    Damage("cond_resched inside", "sleep-in-atomic", "cond_resched();", [
         ("neon.c", ("\tkernel_neon_begin();\n"
          "\texample_sha1"),
          ("\tkernel_neon_begin();\n"
          "\tcond_resched();\n"
          "\texample_sha1")),
    ]),
    Damage("double begin", "lock-balance", "kernel_neon_begin();", [
         ("neon.c", ("\tkernel_neon_begin();\n"
          "\texample_sha1"),
          ("\tkernel_neon_begin();\n"
          "\tkernel_neon_begin();\n"
          "\texample_sha1")),
    ]),
    Damage("end without begin", "lock-balance", "kernel_neon_end();", [
         ("neon.c", ("\tkernel_neon_begin();\n"
          "\texample_sha1"),
          "\texample_sha1"),
    ]),
    Damage("memcmp", "secret-memcmp", "return memcmp(tag, expected, authsize) ? -EBADMSG : 0;", [
         ("neon.c", "crypto_memneq(tag, expected, authsize)",
          "memcmp(tag, expected, authsize)"),
    ]),
    Damage("register ignored", "result-ignored", "crypto_register_shash(&example_hash);", [
         ("neon.c", ("\terr = crypto_register_shash(&example_hash);\n"
          "\tif (err)\n"
          "\t\tgoto drop_cipher;"),
          "\tcrypto_register_shash(&example_hash);"),
    ]),
    Damage("unwind missing", "resource-leak", "goto drop_hash;", [
         ("neon.c", ("drop_hash:\n"
          "\tcrypto_unregister_shash(&example_hash);\n"),
          "drop_hash:\n"),
    ]),
    Damage("unwind wrong goto", "resource-leak", "goto drop_cipher;", [
         ("neon.c", ("\tif (err)\n"
          "\t\tgoto drop_hash;"),
          ("\tif (err)\n"
          "\t\tgoto drop_cipher;")),
    ]),
    Damage("unwind return", "resource-leak", "return err;", [
         ("neon.c", ("\tif (err)\n"
          "\t\tgoto drop_hash;"),
          ("\tif (err)\n"
          "\t\treturn err;")),
    ]),
    Damage("exit misses one", "remove-missing", "err = crypto_register_shash(&example_hash);", [
         ("neon.c", ("\tcrypto_unregister_shash(&example_hash);\n"
          "\tcrypto_unregister_skcipher(&example_alg);\n"
          "}\n"
          "\n"
          "module"),
          ("\tcrypto_unregister_skcipher(&example_alg);\n"
          "}\n"
          "\n"
          "module")),
    ]),
    Damage("setkey ignored", "result-ignored", "aes_expandkey(&ctx->aes, key, keylen);", [
         ("neon.c", "\treturn aes_expandkey(&ctx->aes, key, keylen);",
          ("\taes_expandkey(&ctx->aes, key, keylen);\n"
          "\treturn 0;")),
    ]),
    Damage("walk err ignored", "result-ignored", "skcipher_walk_virt(&walk, req, false);", [
         ("neon.c", "\terr = skcipher_walk_virt(&walk, req, false);",
          "\tskcipher_walk_virt(&walk, req, false);"),
    ]),
    Damage("no simd check", "simd-unchecked", "kernel_neon_begin();", [
         ("neon.c", ("\tif (!crypto_simd_usable())\n"
          "\t\treturn crypto_sha1_update(desc, data, len);\n"),
          ""),
    ]),
    Damage("ecb blocksize 1", "alg-blocksize", ".base.cra_blocksize = 1,", [
         ("neon.c", "\t.base.cra_blocksize = AES_BLOCK_SIZE,",
          "\t.base.cra_blocksize = 1,"),
    ]),
    Damage("digest", "alg-statesize", '.base.cra_name = "sha1",', [
         ("neon.c", "\t.digestsize = SHA1_DIGEST_SIZE,\n",
          ""),
    ]),
    Damage("begin outside loop", "lock-balance", "kernel_neon_begin();", [
         ("neon.c", "\twhile ((blocks",
          ("\tkernel_neon_begin();\n"
          "\twhile ((blocks")),
    ]),
]
