"""Algorithm structs: what they tell the crypto API has to be true.

Sources: include/crypto/skcipher.h, include/crypto/hash.h, include/linux/crypto.h,
Documentation/crypto/architecture.rst; crypto/ahash.c refuses algorithms without statesize.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from patchgen.checks import registry
from patchgen.checks.code.component import Component, Unit
from patchgen.checks.code.ir import Expr, Function, Var
from patchgen.findings import Finding

_KINDS = ("skcipher_alg", "ahash_alg", "shash_alg", "aead_alg", "skcipher_engine_alg",
          "ahash_engine_alg", "aead_engine_alg", "crypto_alg", "kpp_alg", "akcipher_alg",
          "rng_alg")


@dataclass(slots=True)
class Algorithm:
    """One algorithm struct: its kind and its members, by their last name, with lines."""

    kind: str
    members: dict[str, Expr]
    line: int
    unit: Unit
    variable: str

    def text(self, name: str) -> str:
        """The value of a member, empty when it is not given."""
        value = self.members.get(name)
        return value.text if value is not None else ""

    def line_of(self, name: str) -> int:
        """The line of a member, else of the struct."""
        value = self.members.get(name)
        return value.line if value is not None and value.line else self.line

    @property
    def name(self) -> str:
        """``cbc(aes)``."""
        return self.text("cra_name").strip('"')

    @property
    def flags(self) -> set[str]:
        """The names in cra_flags."""
        value = self.members.get("cra_flags")
        return {e.name for e in value.walk() if e.kind == "id"} if value is not None else set()


def algorithms(component: Component) -> Iterator[Algorithm]:
    """Every algorithm struct in an initializer, however deep in a template array it is."""
    for unit in component.units.values():
        for var in unit.declared.variables:
            if var.init is not None and var.init.kind == "init":
                yield from _in_init(component, unit, var)


def _in_init(component: Component, unit: Unit, var: Var) -> Iterator[Algorithm]:
    kind = var.type.struct_name or ""
    entries = var.init.kids if var.init is not None else ()
    if var.type.dims:
        for entry in entries:
            inner = entry.kids[0] if entry.kind in ("field", "literal") else entry
            if inner.kind == "init":
                yield from _one(component, unit, var, kind, inner)
    elif var.init is not None:
        yield from _one(component, unit, var, kind, var.init)


def _one(component: Component, unit: Unit, var: Var, kind: str,
         init: Expr) -> Iterator[Algorithm]:
    if kind in _KINDS:
        yield _collect(unit, var, kind, init)
        return
    struct = component.struct(kind) if kind else None
    for entry in init.kids:
        if entry.kind != "field":
            continue
        value = entry.kids[0].kids[0] if entry.kids[0].kind == "literal" else entry.kids[0]
        if value.kind != "init":
            continue
        parts = [p for p in entry.name.split(".") if p]
        inner = struct
        name = ""
        for part in parts:
            member = inner.field(part) if inner is not None else None
            name = (member.type.struct_name or "") if member is not None else ""
            inner = (component.struct(name) if name else member.type.struct) \
                if member is not None else None
        name = name or {"skcipher": "skcipher_alg", "hash": "ahash_alg", "ahash": "ahash_alg",
                        "aead": "aead_alg", "shash": "shash_alg", "crypto": "crypto_alg",
                        "cipher": "skcipher_alg"}.get(parts[-1] if parts else "", "")
        if name in _KINDS:
            yield _collect(unit, var, name, value)
        elif inner is not None and inner.kind in ("union", "struct"):
            for deeper in value.kids:
                if deeper.kind == "field" and deeper.kids[0].kind == "init":
                    part = deeper.name.strip(".")
                    member = inner.field(part)
                    found = (member.type.struct_name or "") if member is not None else ""
                    if found in _KINDS:
                        yield _collect(unit, var, found, deeper.kids[0])


def _collect(unit: Unit, var: Var, kind: str, init: Expr) -> Algorithm:
    members: dict[str, Expr] = {}
    stack = [init]
    while stack:
        current = stack.pop()
        for entry in current.kids:
            if entry.kind != "field":
                continue
            value = entry.kids[0].kids[0] if entry.kids[0].kind == "literal" else entry.kids[0]
            if value.kind == "init":
                stack.append(value)
            else:
                if not value.line:
                    value.line = entry.line
                members.setdefault(entry.name.rpartition(".")[2], value)
    lines = [m.line for m in members.values() if m.line]
    return Algorithm(kind, members, min(lines, default=var.line), unit, var.name)


def _check_names(name: str) -> tuple[str, str]:
    match = re.match(r"_*(\w+?)\((.+)\)$", name)
    return (match[1], match[2]) if match else ("", name)


_STREAM = {"ctr", "ofb", "cfb", "xctr"}
_NO_IV = {"ecb"}


def _is_cipher(alg: Algorithm) -> bool:
    return alg.kind.startswith("skcipher")


def _is_hash(alg: Algorithm) -> bool:
    return alg.kind.startswith(("ahash", "shash"))


def _is_aead(alg: Algorithm) -> bool:
    return alg.kind.startswith("aead")


@registry.check(
    "alg-blocksize", scope="code", severity="error",
    rule="cra_blocksize is 1 for stream modes such as ctr, the cipher's block for the others.",
    why="Users pad to cra_blocksize: with 16 a ctr(aes) request of 17 bytes is refused; with 1 an "
        "ecb(aes) request of 17 bytes reaches the engine.",
    fix="write .base.cra_blocksize = 1 for stream modes, AES_BLOCK_SIZE for block modes",
)
def alg_blocksize(component: Component) -> Iterator[Finding]:
    """Stream modes with a block, block modes without."""
    check = registry.get("alg-blocksize")
    for alg in algorithms(component):
        mode, cipher = _check_names(alg.name)
        size = alg.text("cra_blocksize")
        if not _is_cipher(alg) or not size or not mode:
            continue
        if (mode in _STREAM or alg.name == "chacha20") and size != "1":
            yield check.finding(f"{alg.name} is a stream cipher, but has blocksize {size}",
                                file=alg.unit.path, line=alg.line_of("cra_blocksize"))
        if mode in ("ecb", "cbc", "xts", "lrw", "pcbc", "essiv") and size == "1" and "arc4" not in \
                cipher and mode != "essiv":
            yield check.finding(f"{alg.name} works on blocks, but has blocksize 1",
                                file=alg.unit.path, line=alg.line_of("cra_blocksize"))


@registry.check(
    "alg-chunksize", scope="code", severity="error",
    rule="A stream mode of a block cipher has chunksize set to the cipher's block.",
    why="chunksize defaults to blocksize, 1: users such as gcm and the walk code may then cut a "
        "request inside a counter block, and the rest of the key stream is wrong.",
    fix="add .chunksize = AES_BLOCK_SIZE",
)
def alg_chunksize(component: Component) -> Iterator[Finding]:
    """ctr, ofb and cfb algorithms without chunksize."""
    check = registry.get("alg-chunksize")
    for alg in algorithms(component):
        mode, cipher = _check_names(alg.name)
        if _is_cipher(alg) and mode in _STREAM and "chacha" not in cipher \
                and alg.text("chunksize") in ("", "1") and not _set_later(component, "chunksize"):
            yield check.finding(f"{alg.name} has no chunksize", file=alg.unit.path,
                                line=alg.line_of("chunksize") if "chunksize" in alg.members
                                else alg.line_of("cra_name"))


def _set_later(component: Component, member: str) -> bool:
    """Whether code stores the member of an algorithm struct at run time."""
    for _, function in component.all_functions():
        for expr in function.exprs:
            if expr.kind == "assign" and expr.kids[0].kind == "member" \
                    and expr.kids[0].name == member:
                return True
            if expr.kind == "call" and expr.name in ("snprintf", "sprintf", "strscpy", "scnprintf",
                                                     "strlcpy", "strcpy") \
                    and expr.args and expr.args[0].text.endswith(member):
                return True
    return False


@registry.check(
    "alg-ivsize", scope="code", severity="error",
    rule="ivsize is 0 for ecb, and the cipher's IV for modes that have one.",
    why="With an IV that the mode does not have, the driver reads and writes through a pointer "
        "that callers leave unset; without one, users give none.",
    fix="remove .ivsize for ecb, write .ivsize = AES_BLOCK_SIZE for cbc and ctr",
)
def alg_ivsize(component: Component) -> Iterator[Finding]:
    """ecb with an IV, cbc and ctr without."""
    check = registry.get("alg-ivsize")
    for alg in algorithms(component):
        mode, cipher = _check_names(alg.name)
        size = alg.text("ivsize")
        if not _is_cipher(alg) or not mode:
            continue
        if mode in _NO_IV and size not in ("", "0"):
            yield check.finding(f"{alg.name} has ivsize {size}", file=alg.unit.path,
                                line=alg.line_of("ivsize"))
        elif mode in ("cbc", "ctr", "xts", "ofb", "cfb") and size in ("", "0") \
                and not _set_later(component, "ivsize"):
            yield check.finding(f"{alg.name} has no ivsize", file=alg.unit.path,
                                line=alg.line_of("ivsize") if size else alg.line_of("cra_name"))
        elif "aes" in cipher and mode in ("cbc", "ctr", "xts") and re.fullmatch(r"\d+", size) \
                and size != "16":
            yield check.finding(f"{alg.name} has ivsize {size} instead of 16",
                                file=alg.unit.path, line=alg.line_of("ivsize"))


@registry.check(
    "alg-statesize", scope="code", severity="error",
    rule="A hash has digestsize and statesize.",
    why="crypto_register_ahash() refuses algorithms without statesize; a statesize smaller than "
        "what export() writes overruns the caller's buffer.",
    fix="add .halg.statesize = sizeof(what export() writes) and .halg.digestsize",
)
def alg_statesize(component: Component) -> Iterator[Finding]:
    """ahash and shash structs without one of the two."""
    check = registry.get("alg-statesize")
    for alg in algorithms(component):
        if not _is_hash(alg) or not alg.name:
            continue
        for member in ("digestsize", "statesize"):
            exports = "export" in alg.members or alg.kind.startswith("ahash")
            if member == "statesize" and not exports:
                continue
            if alg.text(member) in ("", "0") and not _set_later(component, member):
                yield check.finding(f"{alg.name} has no {member}", file=alg.unit.path,
                                    line=alg.line_of("cra_name"))


_DIGESTS = {"md5": "16", "sha1": "20", "sha224": "28", "sha256": "32", "sha384": "48",
            "sha512": "64"}


@registry.check(
    "alg-digestsize", scope="code", severity="error",
    rule="digestsize is the one of the algorithm that the struct names.",
    why="Callers allocate digestsize bytes; a bigger result overruns them, a smaller one is not "
        "the digest.",
    fix="use the constant of the algorithm: SHA1_DIGEST_SIZE for sha1",
)
def alg_digestsize(component: Component) -> Iterator[Finding]:
    """Digest constants of another algorithm."""
    check = registry.get("alg-digestsize")
    for alg in algorithms(component):
        _, inner = _check_names(alg.name)
        size = alg.text("digestsize")
        wanted = _DIGESTS.get(inner)
        if not _is_hash(alg) or wanted is None or not size:
            continue
        named = re.fullmatch(r"(MD5|SHA\d+)_DIGEST_SIZE", size)
        if (named and named[1].lower() != inner) or (size.isdigit() and size != wanted):
            yield check.finding(f"{alg.name} has digestsize {size}", file=alg.unit.path,
                                line=alg.line_of("digestsize"))


@registry.check(
    "alg-keysize", scope="code", severity="error",
    rule="A cipher gives min_keysize and max_keysize, the smaller first.",
    why="The API refuses keys outside the range before setkey() is called; with 0 no key at all "
        "can be set.",
    fix="add .min_keysize = AES_MIN_KEY_SIZE and .max_keysize = AES_MAX_KEY_SIZE",
)
def alg_keysize(component: Component) -> Iterator[Finding]:
    """skciphers without a key range, and ranges that are swapped."""
    check = registry.get("alg-keysize")
    for alg in algorithms(component):
        if not _is_cipher(alg) or not alg.name:
            continue
        for member in ("min_keysize", "max_keysize"):
            if alg.text(member) in ("", "0") and not _set_later(component, member):
                yield check.finding(f"{alg.name} has no {member}", file=alg.unit.path,
                                    line=alg.line_of("cra_name"))
        low, high = alg.text("min_keysize"), alg.text("max_keysize")
        if "MAX" in low and "MIN" in high:
            yield check.finding(f"{alg.name}: the smallest key is larger than the largest",
                                file=alg.unit.path, line=alg.line_of("min_keysize"))
        mode, cipher = _check_names(alg.name)
        if mode == "xts" and cipher == "aes" and low == "AES_MIN_KEY_SIZE":
            yield check.finding("xts(aes) needs two keys, so twice the key size",
                                hint="write 2 * AES_MIN_KEY_SIZE", file=alg.unit.path,
                                line=alg.line_of("min_keysize"))


@registry.check(
    "alg-identity", scope="code", severity="error",
    rule="An algorithm has a name, a driver name that fits it, its module, a priority and the "
         "size of its context.",
    why="Without cra_module the module can be unloaded while it is in use; without priority the "
        "software version always wins; a wrong name gives users another cipher.",
    fix="fill in cra_name, cra_driver_name, cra_module, cra_priority and cra_ctxsize",
)
def alg_identity(component: Component) -> Iterator[Finding]:
    """Missing members, and driver names of another mode or hash."""
    check = registry.get("alg-identity")
    for alg in algorithms(component):
        if "cra_name" not in alg.members and "cra_driver_name" not in alg.members:
            continue
        where = alg.line_of("cra_name" if "cra_name" in alg.members else "cra_driver_name")
        needed = ("cra_name", "cra_driver_name", "cra_priority", "cra_module")
        for member in needed:
            text = alg.text(member)
            if (not text or text in ("0", "NULL")) and not _set_later(component, member):
                if member == "cra_driver_name" and not alg.text(member) and "%" in alg.name:
                    continue
                weak = member == "cra_priority" and text == "0"
                yield check.finding(f"{alg.name or 'an algorithm'} has no {member}",
                                    severity="warning" if weak else None,
                                    file=alg.unit.path, line=where)
        priority = alg.text("cra_priority")
        number = int(priority) if re.fullmatch(r"[0-9]{1,9}", priority) else 300
        if (0 < number <= 100 or number > 9999) \
                and not alg.name.startswith("__"):
            yield check.finding(f"{alg.name} has priority {priority}: " + (
                "the generic version wins" if number <= 100 else "nothing can win"),
                severity="warning", file=alg.unit.path, line=alg.line_of("cra_priority"))
        yield from _driver_name(check, alg)
        yield from _context_size(check, component, alg, where)


def _driver_name(check: registry.Check, alg: Algorithm) -> Iterator[Finding]:
    mode, inner = _check_names(alg.name)
    driver = alg.text("cra_driver_name").strip('"').lower()
    if not driver or not alg.text("cra_driver_name").startswith('"'):
        return
    families = ({"ecb", "cbc", "ctr", "xts", "gcm", "ccm", "ofb", "cfb"},
                {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"})
    words = set(re.findall(r"[a-z]+\d*", driver))
    for family in families:
        own = {mode, inner} & family
        others = (words & family) - own
        if own and others and not words & own:
            yield check.finding(f"{alg.name} has the driver name {driver}", file=alg.unit.path,
                                line=alg.line_of("cra_driver_name"))


def _context_size(check: registry.Check, component: Component, alg: Algorithm,
                  where: int) -> Iterator[Finding]:
    if alg.text("cra_ctxsize") not in ("", "0") or _set_later(component, "cra_ctxsize"):
        return
    setkey = component.function(alg.text("setkey"), alg.unit.path) if alg.text("setkey") else None
    init = component.function(alg.text("init"), alg.unit.path) if alg.text("init") else None
    for function in (setkey, init):
        if function is not None and any(re.fullmatch(
                r"crypto_(?:tfm|skcipher|ahash|shash|aead)_ctx(?:_dma)?", c.name)
                for c in function.calls):
            yield check.finding(f"{alg.name} has no cra_ctxsize, but {function.name}() uses the "
                                "context", file=alg.unit.path, line=where)
            return


def callbacks(component: Component, alg: Algorithm, *names: str) -> Iterator[Function]:
    """The functions of the component that an algorithm names in these members."""
    for name in names:
        value = alg.members.get(name)
        if value is not None and value.kind == "id":
            function = component.function(value.name, alg.unit.path)
            if function is not None:
                yield function
