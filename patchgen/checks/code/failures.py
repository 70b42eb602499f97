"""How kernel functions report failure, and what a function stores their results in."""

from __future__ import annotations

import re

from patchgen.checks.code.component import Component
from patchgen.checks.code.ir import Expr, Function

RETURNS_ERR_PTR = re.compile(
    r"devm_(?:platform_)?ioremap_resource\w*|devm_platform_\w*ioremap\w*|devm_clk_\w*get\w*|"
    r"clk_get|of_clk_get\w*|devm_reset_control_\w*get\w*|reset_control_get\w*|"
    r"devm_regulator_get\w*|devm_regmap_init\w*|syscon_\w+|dma_request_chan|crypto_alloc_\w+|"
    r"devm_gpiod_get\w*|kthread_run|kthread_create|kthread_create_worker|"
    r"crypto_alloc_instance\w*|simd_skcipher_create\w*|devm_phy_get|debugfs_create_\w+|"
    r"devm_pm_opp_\w+|memdup_user|dma_buf_get|clk_hw_register\w*|platform_device_register\w*"
)
RETURNS_NULL = re.compile(
    r"k[mzc]alloc|kmalloc_array|kmemdup|kstrdup|kasprintf|devm_k[mzc]alloc|devm_kmemdup|"
    r"devm_kmalloc_array|devm_kasprintf|kmem_cache_z?alloc|dma_pool_z?alloc|"
    r"dma_alloc_coherent|dmam_alloc_coherent|dma_pool_create|vzalloc|vmalloc|kvzalloc|kvmalloc|"
    r"devm_ioremap|ioremap|of_iomap|of_match_device|of_device_get_match_data|"
    r"platform_get_resource\w*|crypto_engine_alloc_init\w*|kzalloc_node|alloc_workqueue|"
    r"ahash_request_alloc|skcipher_request_alloc|aead_request_alloc|kmem_cache_create|"
    r"of_get_child_by_name|of_parse_phandle|__get_free_pages?|alloc_pages?|dmam_pool_create|"
    r"sg_next|bitmap_zalloc|device_get_match_data"
)


def returns_err_ptr(component: Component, name: str) -> bool:
    """Whether a kernel function of this name returns an ERR_PTR (not one of the component)."""
    return name not in component.functions and RETURNS_ERR_PTR.fullmatch(name) is not None


def returns_null(component: Component, name: str) -> bool:
    """Whether a kernel function of this name returns NULL on failure."""
    return name not in component.functions and RETURNS_NULL.fullmatch(name) is not None


def assigned_to(function: Function) -> dict[int, Expr]:
    """Each call's identity to the lvalue its result is stored in."""
    targets: dict[int, Expr] = {}
    for expr in function.exprs:
        if expr.kind == "assign" and expr.op == "=":
            targets[id(bare(expr.kids[1]))] = expr.kids[0]
    for var in function.locals:
        if var.init is not None:
            targets[id(bare(var.init))] = Expr("id", var.line, var.column, name=var.name)
    return targets


def bare(expr: Expr) -> Expr:
    """The expression without casts around it."""
    while expr.kind == "cast":
        expr = expr.kids[0]
    return expr


def stored(expr: Expr) -> str:
    """The lvalue that a tested expression is: ``x`` for ``x`` and for ``(x = f())``."""
    return expr.kids[0].text if expr.kind == "assign" else expr.text


def sources_of(function: Function) -> dict[str, str]:
    """Each lvalue to the one function whose result it gets; empty when there are several."""
    found: dict[str, str] = {}
    targets = assigned_to(function)
    for call in function.calls:
        target = targets.get(id(call)) if call.name else None
        if target is None:
            continue
        if target.text in found and found[target.text] != call.name:
            found[target.text] = ""
        else:
            found[target.text] = call.name
    return found
