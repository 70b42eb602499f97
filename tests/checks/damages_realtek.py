"""Further damages to our realtek driver.

Each damage names the check that has to find it and the source line it has to point to.
"""

from __future__ import annotations

from checks_damage import Damage

# fmt: off
# ruff: noqa: E501

DAMAGES: list[Damage] = [
    Damage("sentinel", "id-table-sentinel", "static const struct of_device_id rtce_of_match[] = {", [
         ("realtek_crypto.c", ("\t{ .compatible = \"realtek,rtl8380-crypto\" },\n"
          "\t{ }\n"),
          '\t{ .compatible = "realtek,rtl8380-crypto" },\n'),
    ]),
    Damage("no mdt", "device-table-missing", "static const struct of_device_id rtce_of_match[] = {", [
         ("realtek_crypto.c", "MODULE_DEVICE_TABLE(of, rtce_of_match);\n",
          ""),
    ]),
    Damage("wrong bus", "device-table-bus", "MODULE_DEVICE_TABLE(platform, rtce_of_match);", [
         ("realtek_crypto.c", "MODULE_DEVICE_TABLE(of, rtce_of_match);\n",
          "MODULE_DEVICE_TABLE(platform, rtce_of_match);\n"),
    ]),
    Damage("no license", "module-license", "module_init(rtce_init);", [
         ("realtek_crypto.c", 'MODULE_LICENSE("GPL");\n',
          ""),
    ]),
    Damage("no desc", "module-description", "module_init(rtce_init);", [
         ("realtek_crypto.c", "MODULE_DESCRIPTION(\"Crypto engine of Realtek RTL838x and RTL930x SoCs\");\n",
          ""),
    ]),
    Damage("parm desc", "module-parm-desc", "module_param(aes_min_size, uint, 0644);", [
         ("realtek_crypto_skcipher.c", "MODULE_PARM_DESC(aes_min_size,",
          "MODULE_PARM_DESC(aes_min_sizes,"),
    ]),
    Damage("unmap len", "dma-size", "dma_unmap_page(dev, chan->dst, RTCE_BOUNCE_SIZE, DMA_FROM_DEVICE);", [
         ("realtek_crypto.c", "dma_unmap_page(dev, chan->dst, chan->dst_len, DMA_FROM_DEVICE);",
          "dma_unmap_page(dev, chan->dst, RTCE_BOUNCE_SIZE, DMA_FROM_DEVICE);"),
    ]),
    Damage("missing unlock", "lock-balance", "return NULL;", [
         ("realtek_crypto.c", ("\t\tchan = NULL;\n"
          "\tif (chan) {\n"
          "\t\tdesc"),
          ("\t\treturn NULL;\n"
          "\tif (chan) {\n"
          "\t\tdesc")),
    ]),
    Damage("gfp under lock", "sleep-in-atomic", "chan->bounce = kmalloc(16, GFP_KERNEL);", [
         ("realtek_crypto.c", ("\tlist_add_tail(&chan->node, &eng->active);\n"
          "\tchan->slot"),
          ("\tchan->bounce = kmalloc(16, GFP_KERNEL);\n"
          "\tlist_add_tail(&chan->node, &eng->active);\n"
          "\tchan->slot")),
    ]),
    Damage("mutex under lock", "sleep-in-atomic", "mutex_lock(&rtce_mutex);", [
         ("realtek_crypto.c", "\tbusy = !list_empty(&eng->active);",
          ("\tmutex_lock(&rtce_mutex);\n"
          "\tbusy = !list_empty(&eng->active);\n"
          "\tmutex_unlock(&rtce_mutex);")),
    ]),
    Damage("sleep in irq", "sleep-in-atomic", "msleep(1);", [
         ("realtek_crypto.c", "\tatomic_or(status, &eng->status);",
          ("\tmsleep(1);\n"
          "\tatomic_or(status, &eng->status);")),
    ]),
    Damage("ecb ivsize", "alg-ivsize", ".base.ivsize = AES_BLOCK_SIZE,", [
         ("realtek_crypto_skcipher.c", ("\t\t.base.max_keysize = AES_MAX_KEY_SIZE,\n"
          "\t\t.base.base = {"),
          ("\t\t.base.max_keysize = AES_MAX_KEY_SIZE,\n"
          "\t\t.base.ivsize = AES_BLOCK_SIZE,\n"
          "\t\t.base.base = {")),
    ]),
    Damage("ctr blocksize", "alg-blocksize", ".cra_blocksize = AES_BLOCK_SIZE,", [
         ("realtek_crypto_skcipher.c", "\t\t\t.cra_blocksize = 1,",
          "\t\t\t.cra_blocksize = AES_BLOCK_SIZE,"),
    ]),
    Damage("no statesize", "alg-statesize", '.cra_name = "sha1",', [
         ("realtek_crypto_ahash.c", "\t\t\t.statesize = sizeof(struct sha1_state),\n",
          ""),
    ]),
    Damage("no digestsize", "alg-statesize", '.cra_name = "sha1",', [
         ("realtek_crypto_ahash.c", "\t\t\t.digestsize = SHA1_DIGEST_SIZE,\n",
          ""),
    ]),
    Damage("wrong digest", "alg-digestsize", ".digestsize = MD5_DIGEST_SIZE,", [
         ("realtek_crypto_ahash.c", "\t\t\t.digestsize = SHA1_DIGEST_SIZE,\n",
          "\t\t\t.digestsize = MD5_DIGEST_SIZE,\n"),
    ]),
    Damage("no fallback flag", "alg-need-fallback", ".cra_flags = CRYPTO_ALG_ASYNC |", [
         ("realtek_crypto_ahash.c", ("\t\t\t\t\t     CRYPTO_ALG_KERN_DRIVER_ONLY |\n"
          "\t\t\t\t\t     CRYPTO_ALG_NEED_FALLBACK,"),
          "\t\t\t\t\t     CRYPTO_ALG_KERN_DRIVER_ONLY,"),
    ]),
    Damage("fallback mask", "fallback-mask", "ctx->fallback = crypto_alloc_skcipher(name, 0, 0);", [
         ("realtek_crypto_skcipher.c", ("\tctx->fallback = crypto_alloc_skcipher(name, 0,\n"
          "\t\t\t\t\t      CRYPTO_ALG_NEED_FALLBACK);"),
          "\tctx->fallback = crypto_alloc_skcipher(name, 0, 0);"),
    ]),
    Damage("fallback reqsize", "fallback-reqsize", "crypto_skcipher_set_reqsize(tfm, sizeof(struct rtce_skcipher_reqctx));", [
         ("realtek_crypto_skcipher.c", ("\tcrypto_skcipher_set_reqsize(tfm, sizeof(struct rtce_skcipher_reqctx) +\n"
          "\t\t\t\t    crypto_skcipher_reqsize(ctx->fallback));"),
          "\tcrypto_skcipher_set_reqsize(tfm, sizeof(struct rtce_skcipher_reqctx));"),
    ]),
    Damage("fallback not freed", "remove-missing", "ctx->fallback = crypto_alloc_skcipher(name, 0,", [
         ("realtek_crypto_skcipher.c", "\tcrypto_free_skcipher(ctx->fallback);\n",
          "\tctx->fallback = NULL;\n"),
    ]),
    Damage("fallback flags", "fallback-flags", "return crypto_skcipher_setkey(ctx->fallback, key, keylen);", [
         ("realtek_crypto_skcipher.c", ("\tcrypto_skcipher_clear_flags(ctx->fallback, CRYPTO_TFM_REQ_MASK);\n"
          "\tcrypto_skcipher_set_flags(ctx->fallback, flags);\n"),
          ""),
    ]),
    Damage("no async flag", "alg-async", ".cra_flags = CRYPTO_ALG_KERN_DRIVER_ONLY |", [
         ("realtek_crypto_skcipher.c", ("\t\t\t.cra_flags = CRYPTO_ALG_ASYNC |\n"
          "\t\t\t\t     CRYPTO_ALG_KERN_DRIVER_ONLY |"),
          "\t\t\t.cra_flags = CRYPTO_ALG_KERN_DRIVER_ONLY |"),
    ]),
    Damage("no module", "alg-identity", '.cra_name = "ecb(aes)",', [
         ("realtek_crypto_skcipher.c", "\t\t\t.cra_module = THIS_MODULE,\n",
          ""),
    ]),
    Damage("no priority", "alg-identity", '.cra_name = "ecb(aes)",', [
         ("realtek_crypto_skcipher.c", "\t\t\t.cra_priority = 300,\n",
          ""),
    ]),
    Damage("no ctxsize", "alg-identity", '.cra_name = "ecb(aes)",', [
         ("realtek_crypto_skcipher.c", "\t\t\t.cra_ctxsize = sizeof(struct rtce_skcipher_ctx),\n",
          ""),
    ]),
    Damage("no unregister", "remove-missing", "return crypto_engine_register_skciphers(rtce_skciphers,", [
         ("realtek_crypto.c", ("\trtce_unregister_skciphers();\n"
          "\trtce_unregister_ahashes();\n"
          "\trtce_registered = false;"),
          ("\trtce_unregister_ahashes();\n"
          "\trtce_registered = false;")),
    ]),
    Damage("no engine exit in remove", "remove-missing", "eng->engine = crypto_engine_alloc_init_and_set(dev, true, NULL, false,", [
         ("realtek_crypto.c", ("\trtce_unpublish(eng);\n"
          "\tcrypto_engine_exit(eng->engine);\n"
          "}\n"
          "\n"
          "static const"),
          ("\trtce_unpublish(eng);\n"
          "}\n"
          "\n"
          "static const")),
    ]),
    Damage("probe goto wrong", "resource-leak", "return ret;", [
         ("realtek_crypto.c", ("\tif (ret)\n"
          "\t\tgoto exit_engine;\n"
          "\n"
          "\tplatform_set"),
          ("\tif (ret)\n"
          "\t\treturn ret;\n"
          "\n"
          "\tplatform_set")),
    ]),
    Damage("register error no unwind", "resource-leak", "return ret;", [
         ("realtek_crypto.c", ("\tif (ret)\n"
          "\t\trtce_unregister_ahashes();\n"
          "\n"
          "\treturn ret;"),
          "\treturn ret;"),
    ]),
    Damage("irq unsigned", "irq-unsigned", "irq = platform_get_irq(pdev, 0);", [
         ("realtek_crypto.c", ("\tint irq, ret;\n"
          "\n"
          "\teng = devm"),
          ("\tunsigned int irq;\n"
          "\tint ret;\n"
          "\n"
          "\teng = devm")),
    ]),
    Damage("irq unchecked", "irq-unsigned", "irq = platform_get_irq(pdev, 0);", [
         ("realtek_crypto.c", ("\tif (irq < 0)\n"
          "\t\treturn irq;\n"),
          ""),
    ]),
    Damage("kzalloc unchecked", "result-unchecked", "eng = devm_kzalloc(dev, sizeof(*eng), GFP_KERNEL);", [
         ("realtek_crypto.c", ("\tif (!eng)\n"
          "\t\treturn -ENOMEM;\n"
          "\n"
          "\teng->dev"),
          "\teng->dev"),
    ]),
    Damage("IS_ERR vs null", "err-or-null", "if (!eng->base)", [
         ("realtek_crypto.c", ("\tif (IS_ERR(eng->base))\n"
          "\t\treturn PTR_ERR(eng->base);"),
          ("\tif (!eng->base)\n"
          "\t\treturn -ENOMEM;")),
    ]),
    Damage("null vs IS_ERR", "err-or-null", "if (IS_ERR(eng->engine))", [
         ("realtek_crypto.c", ("\tif (!eng->engine)\n"
          "\t\treturn -ENOMEM;"),
          ("\tif (IS_ERR(eng->engine))\n"
          "\t\treturn PTR_ERR(eng->engine);")),
    ]),
    Damage("PTR_ERR other", "ptr-err-other", "return PTR_ERR(eng->engine);", [
         ("realtek_crypto.c", "\t\treturn PTR_ERR(eng->base);",
          "\t\treturn PTR_ERR(eng->engine);"),
    ]),
    Damage("inverted", "ptr-err-other", "return PTR_ERR(eng->base);", [
         ("realtek_crypto.c", "\tif (IS_ERR(eng->base))",
          "\tif (!IS_ERR(eng->base))"),
    ]),
    Damage("positive errno", "errno-sign", "return EINVAL;", [
         ("realtek_crypto_skcipher.c", "\t\treturn -EINVAL;",
          "\t\treturn EINVAL;"),
    ]),
    Damage("bh on completion", "completion-bottom-half", "crypto_finalize_skcipher_request(eng->engine, req, err);", [
         ("realtek_crypto_skcipher.c", ("\tlocal_bh_disable();\n"
          "\tcrypto_finalize_skcipher_request(eng->engine, req, err);\n"
          "\tlocal_bh_enable();"),
          "\tcrypto_finalize_skcipher_request(eng->engine, req, err);"),
    ]),
    Damage("unbalanced rcu", "lock-balance", "return rtce_skcipher_fallback_crypt(req, encrypt);", [
         ("realtek_crypto_skcipher.c", ("\tif (!eng) {\n"
          "\t\trcu_read_unlock();\n"
          "\t\treturn"),
          ("\tif (!eng) {\n"
          "\t\treturn")),
    ]),
    Damage("sizeof ptr", "sizeof-pointer", "memcpy(ctx->enc_key, key, sizeof(key));", [
         ("realtek_crypto_skcipher.c", "\tmemcpy(ctx->enc_key, key, keylen);",
          "\tmemcpy(ctx->enc_key, key, sizeof(key));"),
    ]),
    Damage("static missing", "missing-static", "unsigned int aes_min_size = RTCE_AES_MIN_SIZE;", [
         ("realtek_crypto_skcipher.c", "static unsigned int aes_min_size",
          "unsigned int aes_min_size"),
    ]),
    Damage("prototype missing", "missing-prototype", "void rtce_poll(struct rtce *eng)", [
         ("realtek_crypto.c", "static void rtce_poll(",
          "void rtce_poll("),
    ]),
    Damage("callback sig", "ops-signature", ".base.setkey = rtce_skcipher_setkey,", [
         ("realtek_crypto_skcipher.c", ("static int rtce_skcipher_setkey(struct crypto_skcipher *tfm, const u8 *key,\n"
          "\t\t\t\tunsigned int keylen)"),
          ("static int rtce_skcipher_setkey(struct crypto_skcipher *tfm, const u8 *key,\n"
          "\t\t\t\tint keylen)")),
    ]),
    Damage("remove returns int", "ops-signature", ".remove = rtce_remove,", [
         ("realtek_crypto.c", "static void rtce_remove(",
          "static int rtce_remove("),
    ]),
    Damage("be32 swapped", "endian-mix", "desc->addr = cpu_to_le32(lower_32_bits(seg->addr));", [
         ("realtek_crypto.c", "\tdesc->addr = cpu_to_be32(lower_32_bits(seg->addr));",
          "\tdesc->addr = cpu_to_le32(lower_32_bits(seg->addr));"),
    ]),
    Damage("no wipe of dec", "key-not-wiped", "return ret;", [
         ("realtek_crypto_skcipher.c", ("\tret = rtce_skcipher_fallback_setkey(tfm, key, keylen);\n"
          "\tif (ret)\n"
          "\t\tgoto wipe;"),
          ("\tret = rtce_skcipher_fallback_setkey(tfm, key, keylen);\n"
          "\tif (ret)\n"
          "\t\treturn ret;")),
    ]),
    Damage("alloc in crypt", "alg-allocates-memory", ".cra_flags = CRYPTO_ALG_ASYNC |", [
         ("realtek_crypto_skcipher.c", ("\trctx->eng = eng;\n"
          "\trctx->encrypt = encrypt;"),
          ("\trctx->eng = kmalloc(16, GFP_ATOMIC);\n"
          "\trctx->encrypt = encrypt;")),
    ]),
    Damage("tasklet mutex", "sleep-in-atomic", "mutex_lock(&rtce_mutex);", [
         ("realtek_crypto.c", "\tstatus = ioread32(eng->base + RTCE_REG_CMD) & RTCE_INT_ALL;",
          ("\tmutex_lock(&rtce_mutex);\n"
          "\tstatus = ioread32(eng->base + RTCE_REG_CMD) & RTCE_INT_ALL;\n"
          "\tmutex_unlock(&rtce_mutex);")),
    ]),
    Damage("unregister wrong count", "unregister-count", "crypto_engine_unregister_skciphers(rtce_skciphers, 2);", [
         ("realtek_crypto_skcipher.c", ("\tcrypto_engine_unregister_skciphers(rtce_skciphers,\n"
          "\t\t\t\t\t   ARRAY_SIZE(rtce_skciphers));"),
          "\tcrypto_engine_unregister_skciphers(rtce_skciphers, 2);"),
    ]),
    Damage("register early", "register-before-ready", "ret = rtce_register();", [
         ("realtek_crypto.c", ("\trtce_start(eng);\n"
          "\n"
          "\tret = devm_request"),
          ("\tret = rtce_register();\n"
          "\tif (ret)\n"
          "\t\treturn ret;\n"
          "\trtce_start(eng);\n"
          "\n"
          "\tret = devm_request")),
    ]),
    Damage("use after put", "use-after-free", "req->base.flags = chan->total;", [
         ("realtek_crypto_skcipher.c", ("\trtce_chan_put(chan);\n"
          "\n"
          "\tlocal_bh_disable();"),
          ("\tkfree(chan);\n"
          "\treq->base.flags = chan->total;\n"
          "\n"
          "\tlocal_bh_disable();")),
    ]),
    Damage("keysize swap", "alg-keysize", ".base.min_keysize = AES_MAX_KEY_SIZE,", [
         ("realtek_crypto_skcipher.c", ("\t\t.base.min_keysize = AES_MIN_KEY_SIZE,\n"
          "\t\t.base.max_keysize = AES_MAX_KEY_SIZE,"),
          ("\t\t.base.min_keysize = AES_MAX_KEY_SIZE,\n"
          "\t\t.base.max_keysize = AES_MIN_KEY_SIZE,")),
    ]),
    Damage("wrong setkey len", "result-ignored", "aes_expandkey(&aes, key, keylen);", [
         ("realtek_crypto_skcipher.c", ("\tret = aes_expandkey(&aes, key, keylen);\n"
          "\tif (ret)\n"
          "\t\treturn ret;"),
          "\taes_expandkey(&aes, key, keylen);"),
    ]),
    Damage("no of_match_table", "device-table-unused", "static const struct of_device_id rtce_of_match[] = {", [
         ("realtek_crypto.c", "\t\t.of_match_table = rtce_of_match,\n",
          ""),
    ]),
    Damage("no timeout", "wait-without-timeout", "wait_event(eng->room, rtce_chan_try_get(eng, &chan));", [
         ("realtek_crypto.c", ("\twait_event_timeout(eng->room, rtce_chan_try_get(eng, &chan),\n"
          "\t\t\t   RTCE_TIMEOUT);"),
          "\twait_event(eng->room, rtce_chan_try_get(eng, &chan));"),
    ]),
    Damage("assert removed", "hw-struct-pinned", "struct rtce_src_desc {", [
         ("realtek_crypto.h", "static_assert(sizeof(struct rtce_src_desc) == 16);\n",
          ""),
    ]),
    Damage("error swallowed", "result-ignored", "dma_set_mask_and_coherent(dev, DMA_BIT_MASK(32));", [
         ("realtek_crypto.c", ("\tret = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(32));\n"
          "\tif (ret)\n"
          "\t\treturn dev_err_probe(dev, ret, \"no usable DMA addresses\\n\");"),
          "\tdma_set_mask_and_coherent(dev, DMA_BIT_MASK(32));"),
    ]),
]
