"""What kernel functions do, as far as the rules need it: names and argument positions.

Sources: the headers and Documentation/ of Linux 6.1 and 6.12 (core-api/dma-api.rst,
core-api/dma-api-howto.rst, locking/, driver-api/).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from patchgen.checks.code.tokens import words

WRITES_ARGUMENTS: dict[str, tuple[int, ...]] = {
    "spin_lock_irqsave": (1,), "raw_spin_lock_irqsave": (1,), "read_lock_irqsave": (1,),
    "write_lock_irqsave": (1,), "spin_trylock_irqsave": (1,), "local_irq_save": (0,),
    "local_save_flags": (0,), "va_start": (0,), "va_copy": (0,), "get_user": (0,),
    "__get_user": (0,), "rdmsr": (1, 2), "rdmsrl": (1,), "xa_for_each": (1, 2),
    "readl_poll_timeout": (1,), "readl_poll_timeout_atomic": (1,),
    "readl_relaxed_poll_timeout": (1,), "readl_relaxed_poll_timeout_atomic": (1,),
    "readw_poll_timeout": (1,), "readb_poll_timeout": (1,), "readq_poll_timeout": (1,),
    "ioread32_poll_timeout": (1,), "regmap_read_poll_timeout": (2,),
    "read_poll_timeout": (1,), "read_poll_timeout_atomic": (1,), "__swap": (0, 1),
    "skb_queue_walk": (1,), "seqcount_begin": (0,), "INIT_LIST_HEAD": (), "cpuid": (),
    "ahash_request_ctx": (), "spin_lock_irqsave_nested": (1,), "sg_miter_start": (),
    "dma_cap_zero": (0,), "dma_cap_set": (1,), "arm_smccc_smc": (), "hash_for_each": (2,),
    "hash_for_each_safe": (2, 3),
    "hash_for_each_possible": (1,), "idr_for_each_entry": (1, 2), "skcipher_walk_init": (),
}  # fmt: skip
"""Macros that write to some of their arguments without ``&``."""

PURE_MACROS = words(
    "IS_ERR IS_ERR_OR_NULL IS_ERR_VALUE PTR_ERR PTR_ERR_OR_ZERO ERR_PTR ERR_CAST WARN WARN_ON "
    "WARN_ON_ONCE WARN_ONCE BUG_ON BUILD_BUG_ON READ_ONCE BIT BIT_ULL ALIGN IS_ALIGNED "
    "DIV_ROUND_UP FIELD_PREP FIELD_GET GENMASK ARRAY_SIZE PTR_ALIGN ALIGN_DOWN BITS_TO_LONGS "
    "BITS_PER_BYTE IS_ENABLED ACCESS_ONCE SWAP MIN MAX"
)
"""Upper-case names that only read their arguments."""

MUST_USE = re.compile(
    r"crypto_register_\w+|crypto_engine_register_\w+|crypto_engine_start|clk_prepare_enable|"
    r"clk_enable|clk_prepare|request_irq|request_threaded_irq|devm_request_\w*irq|"
    r"crypto_[as]?hash_(?:import|export|setkey|init|update|final|finup|digest)|"
    r"crypto_(?:sync_)?skcipher_(?:setkey|encrypt|decrypt)|crypto_aead_(?:setkey|setauthsize)|"
    r"aes_expandkey|dma_set_mask\w*|dma_set_coherent_mask|platform_driver_register|"
    r"pm_runtime_resume_and_get|reset_control_(?:de)?assert|regulator_enable|hwrng_register|"
    r"devm_hwrng_register|misc_register|sg_alloc_table|pci_enable_device|skcipher_walk_virt|"
    r"skcipher_walk_done|crypto_shash_\w+|crypto_cipher_setkey|des3?_\w*expand_key|"
    r"kstrto\w+|devm_add_action_or_reset|"
    r"skcipher_walk_aead_\w+|simd_register_\w+_compat|simd_register_\w+"
)
"""Functions whose result has to be looked at."""

Failure = Literal["null", "errptr", "nonzero", "negative", "dma", "zero", "never"]


@dataclass(frozen=True, slots=True)
class Resource:
    """A pair of functions: what one takes, the other has to give back.

    ``key``: the argument of the taking call that names the resource, -1 for its result.
    ``releases``: function to the argument that names it there (-1: none, any release fits).
    ``failure``: which results mean that nothing was taken. ``scoped``: must be given back on
    every way out of the function, not only on errors.
    """

    kind: str
    takes: frozenset[str]
    releases: dict[str, int]
    failure: Failure
    key: int = -1
    scoped: bool = False


RESOURCES: tuple[Resource, ...] = (
    Resource("mapping", words("dma_map_single dma_map_single_attrs dma_map_page "
                              "dma_map_page_attrs dma_map_resource"),
             {"dma_unmap_single": 1, "dma_unmap_single_attrs": 1, "dma_unmap_page": 1,
              "dma_unmap_page_attrs": 1, "dma_unmap_resource": 1}, "dma"),
    Resource("scatterlist mapping", words("dma_map_sg dma_map_sg_attrs"),
             {"dma_unmap_sg": 1, "dma_unmap_sg_attrs": 1}, "zero", key=1),
    Resource("scatterlist mapping", words("dma_map_sgtable"), {"dma_unmap_sgtable": 1},
             "nonzero", key=1),
    Resource("coherent memory", words("dma_alloc_coherent dma_alloc_attrs dma_alloc_wc "
                                      "dma_alloc_noncoherent"),
             {"dma_free_coherent": 2, "dma_free_attrs": 2, "dma_free_wc": 2,
              "dma_free_noncoherent": 2}, "null"),
    Resource("pool memory", words("dma_pool_alloc dma_pool_zalloc"), {"dma_pool_free": 1},
             "null"),
    Resource("DMA pool", words("dma_pool_create"), {"dma_pool_destroy": 0}, "null"),
    Resource("memory", words("kmalloc kzalloc kcalloc kmalloc_array kzalloc_node kmalloc_node "
                             "kmemdup kstrdup kasprintf kvmalloc kvzalloc kvcalloc vmalloc "
                             "vzalloc kmem_cache_alloc kmem_cache_zalloc kvmalloc_array "
                             "kmemdup_nul kstrndup"),
             {"kfree": 0, "kfree_sensitive": 0, "kzfree": 0, "kvfree": 0, "vfree": 0,
              "kmem_cache_free": 1, "kvfree_sensitive": 0, "kfree_rcu": 0, "kfree_const": 0},
             "null"),
    Resource("page", words("__get_free_page __get_free_pages get_zeroed_page alloc_page "
                           "alloc_pages"),
             {"free_page": 0, "free_pages": 0, "__free_page": 0, "__free_pages": 0}, "null"),
    Resource("clock", words("clk_prepare_enable clk_enable clk_prepare"),
             {"clk_disable_unprepare": 0, "clk_disable": 0, "clk_unprepare": 0}, "nonzero",
             key=0),
    Resource("clocks", words("clk_bulk_prepare_enable clk_bulk_enable"),
             {"clk_bulk_disable_unprepare": 1, "clk_bulk_disable": 1}, "nonzero", key=1),
    Resource("clock handle", words("clk_get of_clk_get of_clk_get_by_name"), {"clk_put": 0},
             "errptr"),
    Resource("runtime PM reference", words("pm_runtime_resume_and_get"),
             {"pm_runtime_put": 0, "pm_runtime_put_sync": 0, "pm_runtime_put_autosuspend": 0,
              "pm_runtime_put_noidle": 0, "pm_runtime_put_sync_suspend": 0,
              "pm_runtime_put_sync_autosuspend": 0}, "negative", key=0),
    Resource("runtime PM reference", words("pm_runtime_get_sync pm_runtime_get "
                                           "pm_runtime_get_noresume"),
             {"pm_runtime_put": 0, "pm_runtime_put_sync": 0, "pm_runtime_put_autosuspend": 0,
              "pm_runtime_put_noidle": 0, "pm_runtime_put_sync_suspend": 0,
              "pm_runtime_put_sync_autosuspend": 0}, "never", key=0),
    Resource("runtime PM", words("pm_runtime_enable"),
             {"pm_runtime_disable": 0, "__pm_runtime_disable": 0}, "never", key=0),
    Resource("reset line", words("reset_control_deassert"), {"reset_control_assert": 0},
             "nonzero", key=0),
    Resource("regulator", words("regulator_enable"), {"regulator_disable": 0}, "nonzero",
             key=0),
    Resource("interrupt", words("request_irq request_threaded_irq request_any_context_irq"),
             {"free_irq": 0}, "nonzero", key=0),
    Resource("register mapping", words("ioremap of_iomap ioremap_wc ioremap_nocache pci_iomap"),
             {"iounmap": 0, "pci_iounmap": 1}, "null"),
    Resource("device node", words("of_find_node_by_name of_find_compatible_node "
                                  "of_parse_phandle of_get_child_by_name of_find_node_by_path "
                                  "of_get_parent of_find_matching_node of_node_get"),
             {"of_node_put": 0}, "null"),
    Resource("firmware", words("request_firmware request_firmware_direct "
                               "firmware_request_nowarn"), {"release_firmware": 0}, "nonzero",
             key=0),
    Resource("transform", words("crypto_alloc_skcipher crypto_alloc_ahash crypto_alloc_shash "
                                "crypto_alloc_aead crypto_alloc_sync_skcipher "
                                "crypto_alloc_cipher crypto_alloc_akcipher crypto_alloc_kpp "
                                "crypto_alloc_rng crypto_alloc_comp crypto_alloc_acomp"),
             {"crypto_free_skcipher": 0, "crypto_free_ahash": 0, "crypto_free_shash": 0,
              "crypto_free_aead": 0, "crypto_free_sync_skcipher": 0, "crypto_free_cipher": 0,
              "crypto_free_akcipher": 0, "crypto_free_kpp": 0, "crypto_free_rng": 0,
              "crypto_free_comp": 0, "crypto_free_acomp": 0}, "errptr"),
    Resource("request", words("ahash_request_alloc skcipher_request_alloc aead_request_alloc "
                              "akcipher_request_alloc"),
             {"ahash_request_free": 0, "skcipher_request_free": 0, "aead_request_free": 0,
              "akcipher_request_free": 0}, "null"),
    Resource("engine", words("crypto_engine_alloc_init crypto_engine_alloc_init_and_set"),
             {"crypto_engine_exit": 0}, "null"),
    Resource("algorithm", words("crypto_register_skcipher crypto_register_ahash "
                                "crypto_register_shash crypto_register_aead "
                                "crypto_register_alg crypto_register_rng "
                                "crypto_register_akcipher crypto_register_kpp "
                                "crypto_register_scomp crypto_register_acomp "
                                "crypto_engine_register_skcipher "
                                "crypto_engine_register_ahash crypto_engine_register_aead "
                                "crypto_engine_register_akcipher crypto_engine_register_kpp"),
             {"crypto_unregister_skcipher": 0, "crypto_unregister_ahash": 0,
              "crypto_unregister_shash": 0, "crypto_unregister_aead": 0,
              "crypto_unregister_alg": 0, "crypto_unregister_rng": 0,
              "crypto_unregister_akcipher": 0, "crypto_unregister_kpp": 0,
              "crypto_unregister_scomp": 0, "crypto_unregister_acomp": 0,
              "crypto_engine_unregister_skcipher": 0, "crypto_engine_unregister_ahash": 0,
              "crypto_engine_unregister_aead": 0, "crypto_engine_unregister_akcipher": 0,
              "crypto_engine_unregister_kpp": 0}, "nonzero", key=0),
    Resource("algorithms", words("crypto_register_skciphers crypto_register_ahashes "
                                 "crypto_register_shashes crypto_register_aeads "
                                 "crypto_register_algs crypto_register_rngs "
                                 "crypto_register_scomps crypto_register_acomps "
                                 "crypto_engine_register_skciphers "
                                 "crypto_engine_register_ahashes "
                                 "crypto_engine_register_aeads simd_register_skciphers_compat "
                                 "simd_register_aeads_compat"),
             {"crypto_unregister_skciphers": 0, "crypto_unregister_ahashes": 0,
              "crypto_unregister_shashes": 0, "crypto_unregister_aeads": 0,
              "crypto_unregister_algs": 0, "crypto_unregister_rngs": 0,
              "crypto_unregister_scomps": 0, "crypto_unregister_acomps": 0,
              "crypto_engine_unregister_skciphers": 0,
              "crypto_engine_unregister_ahashes": 0, "crypto_engine_unregister_aeads": 0,
              "simd_unregister_skciphers": 0, "simd_unregister_aeads": 0}, "nonzero", key=0),
    Resource("random number source", words("hwrng_register"), {"hwrng_unregister": 0},
             "nonzero", key=0),
    Resource("misc device", words("misc_register"), {"misc_deregister": 0}, "nonzero", key=0),
    Resource("DMA channel", words("dma_request_chan"), {"dma_release_channel": 0}, "errptr"),
    Resource("workqueue", words("alloc_workqueue alloc_ordered_workqueue create_workqueue "
                                "create_singlethread_workqueue"), {"destroy_workqueue": 0},
             "null"),
    Resource("PCI device", words("pci_enable_device pci_enable_device_mem"),
             {"pci_disable_device": 0}, "nonzero", key=0),
    Resource("PCI regions", words("pci_request_regions pci_request_mem_regions"),
             {"pci_release_regions": 0, "pci_release_mem_regions": 0}, "nonzero", key=0),
    Resource("driver", words("platform_driver_register pci_register_driver"),
             {"platform_driver_unregister": 0, "pci_unregister_driver": 0}, "nonzero", key=0),
)  # fmt: skip

NEON = Resource(
    "NEON section", words("kernel_neon_begin kernel_fpu_begin enable_kernel_vsx "
                          "enable_kernel_altivec kernel_vector_begin"),
    {"kernel_neon_end": -1, "kernel_fpu_end": -1, "disable_kernel_vsx": -1,
     "disable_kernel_altivec": -1, "kernel_vector_end": -1}, "never", key=-2, scoped=True,
)  # fmt: skip

LOCKS: tuple[Resource, ...] = (
    Resource("spinlock", words("spin_lock spin_lock_bh spin_lock_irq spin_lock_irqsave "
                               "raw_spin_lock raw_spin_lock_irqsave raw_spin_lock_irq "
                               "raw_spin_lock_bh"),
             {"spin_unlock": 0, "spin_unlock_bh": 0, "spin_unlock_irq": 0,
              "spin_unlock_irqrestore": 0, "raw_spin_unlock": 0,
              "raw_spin_unlock_irqrestore": 0, "raw_spin_unlock_irq": 0,
              "raw_spin_unlock_bh": 0}, "never", key=0, scoped=True),
    Resource("mutex", words("mutex_lock"), {"mutex_unlock": 0}, "never", key=0, scoped=True),
    Resource("mutex", words("mutex_lock_interruptible mutex_lock_killable"),
             {"mutex_unlock": 0}, "nonzero", key=0, scoped=True),
    Resource("semaphore", words("down down_read down_write"),
             {"up": 0, "up_read": 0, "up_write": 0}, "never", key=0, scoped=True),
    Resource("disabled bottom halves", words("local_bh_disable"), {"local_bh_enable": -1},
             "never", key=-2, scoped=True),
    Resource("disabled preemption", words("preempt_disable get_cpu"),
             {"preempt_enable": -1, "put_cpu": -1, "preempt_enable_no_resched": -1}, "never",
             key=-2, scoped=True),
    Resource("disabled interrupts", words("local_irq_disable local_irq_save"),
             {"local_irq_enable": -1, "local_irq_restore": -1}, "never", key=-2, scoped=True),
    Resource("RCU read section", words("rcu_read_lock rcu_read_lock_bh"),
             {"rcu_read_unlock": -1, "rcu_read_unlock_bh": -1}, "never", key=-2, scoped=True),
)  # fmt: skip
