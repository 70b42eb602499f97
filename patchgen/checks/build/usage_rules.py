"""Rules that hold Kconfig entries against the sources they build."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchgen.checks import registry
from patchgen.checks.build.context import BuildContext, Module
from patchgen.checks.build.kconfig import Entry
from patchgen.checks.code.tokens import split_comments
from patchgen.findings import Finding

NEEDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), symbol) for pattern, symbol in (
        (r"\bcrypto_register_skciphers?\b|\bcrypto_alloc_(?:sync_)?skcipher\b|"
         r"\bcrypto_engine_register_skciphers?\b|\bskcipher_walk_\w+\b", "CRYPTO_SKCIPHER"),
        (r"\bcrypto_register_a?hash(?:es)?\b|\bcrypto_register_shash(?:es)?\b|"
         r"\bcrypto_alloc_[as]hash\b|\bcrypto_engine_register_ahash(?:es)?\b", "CRYPTO_HASH"),
        (r"\bcrypto_register_aeads?\b|\bcrypto_alloc_aead\b|\bcrypto_engine_register_aeads?\b",
         "CRYPTO_AEAD"),
        (r"\bcrypto_authenc_\w+\b", "CRYPTO_AUTHENC"),
        (r"\bcrypto_engine_(?:alloc_init\w*|start|stop|exit)\b", "CRYPTO_ENGINE"),
        (r"\bcrypto_register_rngs?\b", "CRYPTO_RNG"),
        (r"\bcrypto_register_akcipher\b|\bcrypto_alloc_akcipher\b|"
         r"\bcrypto_engine_register_akcipher\b", "CRYPTO_AKCIPHER"),
        (r"\bcrypto_register_kpp\b|\bcrypto_alloc_kpp\b|\bcrypto_engine_register_kpp\b",
         "CRYPTO_KPP"),
        (r"\bcrypto_register_[as]comps?\b", "CRYPTO_ACOMP2"),
        (r"\baes_(?:expandkey|encrypt|decrypt)\b", "CRYPTO_LIB_AES"),
        (r"\bdes3?_(?:ede_)?(?:expand_key|encrypt|decrypt)\b", "CRYPTO_LIB_DES"),
        (r"\bsimd_(?:register|skcipher|aead)\w*\b", "CRYPTO_SIMD"),
        (r"\bcryptd_(?:alloc|free)\w*\b", "CRYPTO_CRYPTD"),
    )
)
"""What a source calls, and the symbol that provides it."""

IMPLIES: dict[str, tuple[str, ...]] = {
    "CRYPTO_MD5": ("CRYPTO_HASH",), "CRYPTO_SHA1": ("CRYPTO_HASH",),
    "CRYPTO_SHA256": ("CRYPTO_HASH",), "CRYPTO_SHA512": ("CRYPTO_HASH",),
    "CRYPTO_SHA3": ("CRYPTO_HASH",), "CRYPTO_SM3": ("CRYPTO_HASH",),
    "CRYPTO_SM3_GENERIC": ("CRYPTO_HASH",), "CRYPTO_GHASH": ("CRYPTO_HASH",),
    "CRYPTO_HMAC": ("CRYPTO_HASH",), "CRYPTO_CMAC": ("CRYPTO_HASH",),
    "CRYPTO_AES": ("CRYPTO_LIB_AES",), "CRYPTO_DES": ("CRYPTO_LIB_DES",),
    "CRYPTO_ECB": ("CRYPTO_SKCIPHER",), "CRYPTO_CBC": ("CRYPTO_SKCIPHER",),
    "CRYPTO_CTR": ("CRYPTO_SKCIPHER",), "CRYPTO_XTS": ("CRYPTO_SKCIPHER",),
    "CRYPTO_GCM": ("CRYPTO_AEAD", "CRYPTO_CTR", "CRYPTO_GHASH"),
    "CRYPTO_CCM": ("CRYPTO_AEAD", "CRYPTO_CTR", "CRYPTO_HASH"),
    "CRYPTO_AUTHENC": ("CRYPTO_AEAD", "CRYPTO_SKCIPHER", "CRYPTO_HASH"),
    "CRYPTO_ENGINE": ("CRYPTO_AEAD", "CRYPTO_AKCIPHER", "CRYPTO_HASH", "CRYPTO_KPP",
                      "CRYPTO_SKCIPHER"),
    "CRYPTO_SIMD": ("CRYPTO_CRYPTD",), "CRYPTO_AEAD": ("CRYPTO_SKCIPHER",),
    "CRYPTO_CRYPTD": ("CRYPTO_SKCIPHER", "CRYPTO_HASH"),
    "CRYPTO_CHACHA20POLY1305": ("CRYPTO_AEAD", "CRYPTO_HASH"),
    "CRYPTO_CHACHA20": ("CRYPTO_SKCIPHER",), "CRYPTO_ARC4": ("CRYPTO_SKCIPHER",),
    "CRYPTO_ECDH": ("CRYPTO_KPP",), "CRYPTO_DH": ("CRYPTO_KPP",),
    "CRYPTO_RSA": ("CRYPTO_AKCIPHER",), "CRYPTO_DRBG": ("CRYPTO_RNG",),
}
"""What selecting a symbol selects in turn (crypto/Kconfig of 6.1 and 6.12)."""


def _provided(context: BuildContext, entry: Entry) -> set[str]:
    """What an entry, what it selects, and the options below it select in the end."""
    entries = [e for k in context.kconfigs.values() for e in k.entries]
    by_name = {e.name: e for e in entries}
    todo = entry.selects() | entry.depends()
    for option in entries:
        if entry.name in option.depends():
            todo |= option.selects()
    done: set[str] = set()
    while todo:
        symbol = todo.pop()
        done.add(symbol)
        todo |= set(IMPLIES.get(symbol, ())) - done
        if symbol in by_name:
            todo |= by_name[symbol].selects() - done
    return done


def _modules(context: BuildContext) -> Iterator[tuple[str, Entry, Module, dict[str, str]]]:
    for module in context.modules():
        for path, kconfig in context.kconfigs.items():
            entry = kconfig.entry(module.symbol)
            if entry is not None and context.is_new_entry(path, entry) and module.sources:
                texts = {p: split_comments(t)[0]
                         for p, t in context.sources_text(module.sources).items()}
                yield path, entry, module, texts


@registry.check(
    "kconfig-missing-select", scope="build", severity="error",
    rule="A driver's Kconfig entry selects what its sources call.",
    why="Without the select the driver links only in configurations that happen to have the rest; "
        "robots with random configurations find that months later.",
    fix="add the select",
)
def kconfig_missing_select(context: BuildContext) -> Iterator[Finding]:
    """APIs in use that neither a select nor a dependency provides."""
    check = registry.get("kconfig-missing-select")
    for path, entry, _, texts in _modules(context):
        have = _provided(context, entry)
        joined = "\n".join(texts.values())
        for pattern, symbol in NEEDS:
            match = pattern.search(joined)
            if match and symbol not in have:
                yield check.finding(f"{entry.name} calls {match[0]}() but does not select {symbol}",
                                    hint=f"add: select {symbol}", file=path, line=entry.line)


@registry.check(
    "kconfig-library", scope="build", severity="warning",
    rule="A driver that needs a library selects the library, not a cipher that uses it.",
    why="CRYPTO_AES builds the generic cipher; aes_expandkey() lives in CRYPTO_LIB_AES. The "
        "detour works by luck and builds what nobody needs.",
    fix="select CRYPTO_LIB_AES (or CRYPTO_LIB_DES)",
)
def kconfig_library(context: BuildContext) -> Iterator[Finding]:
    """Library functions in use while only the generic cipher is selected."""
    check = registry.get("kconfig-library")
    for path, entry, _, texts in _modules(context):
        joined = "\n".join(texts.values())
        for cipher, library, pattern in (
            ("CRYPTO_AES", "CRYPTO_LIB_AES", r"\baes_(?:expandkey|encrypt|decrypt)\s*\("),
            ("CRYPTO_DES", "CRYPTO_LIB_DES", r"\bdes3?_(?:ede_)?expand_key\s*\("),
        ):
            selects = entry.selects()
            if cipher in selects and library not in selects and re.search(pattern, joined):
                line = next(r.line for r in entry.references if r.symbol == cipher)
                yield check.finding(f"{entry.name} selects {cipher} for what is in {library}",
                                    file=path, line=line, hint=f"select {library}")


@registry.check(
    "kconfig-io-depends", scope="build", severity="warning",
    rule="A driver open to COMPILE_TEST depends on HAS_DMA and HAS_IOMEM when it uses them.",
    why="Some architectures have neither; random configurations there fail to link.",
    fix="add depends on HAS_DMA and HAS_IOMEM",
)
def kconfig_io_depends(context: BuildContext) -> Iterator[Finding]:
    """DMA and MMIO in use without the dependency."""
    check = registry.get("kconfig-io-depends")
    for path, entry, _, texts in _modules(context):
        joined = "\n".join(texts.values())
        depends = entry.depends()
        if "COMPILE_TEST" not in depends or "PCI" in depends:
            continue
        for symbol, pattern in (("HAS_DMA", r"\bdma_(?:map|alloc)_\w+\s*\("),
                                ("HAS_IOMEM", r"\b(?:devm_(?:platform_)?ioremap\w*|ioremap)\s*\(")):
            if symbol not in depends and re.search(pattern, joined):
                yield check.finding(f"{entry.name} does not depend on {symbol}", file=path,
                                    line=entry.line, hint=f"add: depends on {symbol}")


@registry.check(
    "config-symbol-unknown", scope="build", severity="error",
    rule="A CONFIG_ symbol in a source, or in a parameter's description, exists.",
    why="The preprocessor takes an undefined symbol for unset, and stringifies its bare name: it "
        "compiles, and the user reads CONFIG_… where a number should be.",
    fix="use the name that the Kconfig entry has now",
)
def config_symbol_unknown(context: BuildContext) -> Iterator[Finding]:
    """Symbols in new C lines that no Kconfig file defines."""
    check = registry.get("config-symbol-unknown")
    own = {e.name for k in context.kconfigs.values() for e in k.entries}
    for path in context.touched:
        text = context.text(path) if path.endswith((".c", ".h", ".S")) else None
        if text is None or "CONFIG_" not in text:
            continue
        for number, line in enumerate(split_comments(text)[0].split("\n"), 1):
            for name in re.findall(r"\bCONFIG_(\w+)", line):
                symbol = name.removesuffix("_MODULE")
                if context.defines(symbol) or not context.is_new_line(path, number):
                    continue
                family = any(symbol.rsplit("_", 2)[0] == o.rsplit("_", 2)[0] or
                             symbol.startswith(o) for o in own)
                if family or "__stringify" in line or symbol.startswith("CRYPTO_"):
                    yield check.finding(f"CONFIG_{name} is defined nowhere", file=path,
                                        line=number)
