"""Benchmarks of user space: ``cryptsetup benchmark`` and ``openssl speed``.

Names follow the kernel's (``aes-cbc`` of cryptsetup is ``cbc(aes)`` there: it calls that very
algorithm through AF_ALG), so that all tools share one model.
"""

from __future__ import annotations

import re

from patchgen.bench.store import Store, case
from patchgen.bench.units import find_sizes

_MIB = 1024 * 1024

_CRYPTSETUP = re.compile(
    r"#?\s*(?P<cipher>[a-z0-9_]+(?:-[a-z0-9_:]+)+)\s+(?P<key>\d{2,4})b"
    r"\s+(?P<encrypt>N/A|[\d.]{1,12} MiB/s)\s+(?P<decrypt>N/A|[\d.]{1,12} MiB/s)\s*"
)
_PBKDF2 = re.compile(
    r"(?P<name>PBKDF2-\S+)\s+(?P<rate>N/A|\d{1,12}) iterations per second"
    r"(?: for (?P<key>\d{1,5})-bit key)?\s*"
)
_ARGON2 = re.compile(r"argon2\w*\s+(?:N/A|\d+ iterations, \d+ memory).*")

_DOING = re.compile(
    r"Doing (?P<name>.+?)(?: ops)? for (?P<for>\d+)s on (?P<size>\d{1,9}) size blocks: "
    r"(?P<count>\d{1,15}) .+ in (?P<seconds>\d{1,6}(?:\.\d{1,6})?)s\s*"
)
_PLAN = re.compile(r"\+DT:(?P<name>[^:]+):\d+:(?P<size>\d{1,9})\s*")
_RUN = re.compile(r"\+R:(?P<count>\d{1,15}):(?P<name>[^:]+):(?P<seconds>[\d.]{1,12})\s*")
_MACHINE_SIZES = re.compile(r"\+H(?P<sizes>(?::\d{1,9})+)\s*")
_MACHINE_ROW = re.compile(r"\+F:\d+:(?P<name>[^:]+)(?P<cells>(?::[\d.]{1,20})+)\s*")
_TYPE_LINE = re.compile(r"type\s+(?=\d)")
_ROW = re.compile(
    r"(?P<name>[A-Za-z][\w(),/-]*(?: \w+)?)\s+"
    r"(?P<cells>\d{1,15}(?:\.\d{1,6})?k(?:\s+\d{1,15}(?:\.\d{1,6})?k)*)\s*"
)
_PUBLIC_KEY = re.compile(r"(?:rsa|dsa|(?:\s*\d+ bits )?ec(?:dsa|dh)|EdDSA).*\d\s*s\s+[\d.]+s?.*")
_OPENSSL_CIPHER = re.compile(
    r"(?P<cipher>aes|aria|camellia|sm4|des)-(?P<key>\d{3})?-?\s?(?P<mode>cbc|ctr|ecb|gcm|ccm|xts|"
    r"cfb|ofb|ocb)", re.IGNORECASE,
)
_CRYPTSETUP_WORDS = ("b  ", "PBKDF2", "argon2")
_OPENSSL_WORDS = ("Doing ", "type ", "s  ", "sign")
_SAME = 0.002


class ForeignReader:
    """Reads the lines of cryptsetup and openssl; everything else is not its business."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._sizes: tuple[int, ...] = ()
        self._planned: tuple[str, int] | None = None
        self._runs: dict[tuple[str, int], float] = {}

    def read(self, text: str, line: int) -> bool:
        """Whether the line is one of theirs; its figures are then stored or listed."""
        if text.startswith("+"):
            return self._machine(text, line)
        if any(word in text for word in _CRYPTSETUP_WORDS) and self._cryptsetup(text, line):
            return True
        if any(word in text for word in _OPENSSL_WORDS) or text.endswith("k"):
            return self._openssl(text, line)
        return False

    def _cryptsetup(self, text: str, line: int) -> bool:
        row = _CRYPTSETUP.fullmatch(text)
        if row is not None:
            for direction in ("encrypt", "decrypt"):
                if row[direction] == "N/A":
                    self.store.unread(line, f"no figure for {direction}: N/A", text)
                    continue
                found = case(self.store, kernel_name(row["cipher"]), "bytes",
                             driver="cryptsetup", direction=direction, key_bits=int(row["key"]))
                self.store.add(found, float(row[direction].split()[0]) * _MIB, line, text)
            return True
        hashed = _PBKDF2.fullmatch(text)
        if hashed is not None:
            if hashed["rate"] == "N/A":
                self.store.unread(line, "no figure: N/A", text)
            else:
                key = int(hashed["key"]) if hashed["key"] else None
                found = case(self.store, hashed["name"].lower(), "ops", driver="cryptsetup",
                             key_bits=key)
                self.store.add(found, float(hashed["rate"]), line, text)
            return True
        if _ARGON2.fullmatch(text):
            self.store.unread(line, "argon2 parameters, not a speed", text)
            return True
        return False

    def _openssl(self, text: str, line: int) -> bool:
        doing = _DOING.fullmatch(text)
        if doing is not None:
            self._run(doing["name"], int(doing["size"]), doing["count"], doing["seconds"], line,
                      text)
            return True
        if _TYPE_LINE.match(text):
            self._sizes, _ = find_sizes(text)
            return True
        row = _ROW.fullmatch(text)
        if row is not None:
            rates = [float(cell.rstrip("k")) * 1000 for cell in row["cells"].split()]
            self._row(row["name"], rates, line, text)
            return True
        if _PUBLIC_KEY.fullmatch(text):
            self.store.unread(line, "public key operations have no block size", text)
            return True
        return False

    def _machine(self, text: str, line: int) -> bool:
        """The lines of ``openssl speed -mr``."""
        if plan := _PLAN.fullmatch(text):
            self._planned = (plan["name"], int(plan["size"]))
        elif run := _RUN.fullmatch(text):
            if self._planned is None or self._planned[0] != run["name"]:
                self.store.unread(line, "a result whose size no line announces", text)
            else:
                self._run(run["name"], self._planned[1], run["count"], run["seconds"], line, text)
            self._planned = None
        elif sizes := _MACHINE_SIZES.fullmatch(text):
            self._sizes = tuple(int(size) for size in sizes["sizes"][1:].split(":"))
        elif row := _MACHINE_ROW.fullmatch(text):
            cells = row["cells"][1:].split(":")
            try:
                self._row(row["name"], [float(cell) for cell in cells], line, text)
            except ValueError:
                self.store.unread(line, "not a number", text)
        else:
            return False
        return True

    def _run(self, name: str, size: int, count: str, seconds: str, line: int, text: str) -> None:
        try:
            length = float(seconds)
        except ValueError:
            length = 0.0
        if length <= 0 or not size:
            self.store.unread(line, "zero seconds or bytes give no speed", text)
            return
        rate = int(count) / length
        if len(self._runs) > 1000:
            self._runs.clear()
        self._runs[name, size] = rate * size
        self._store(name, size, rate * size, line, text, length)

    def _row(self, name: str, rates: list[float], line: int, text: str) -> None:
        if len(rates) != len(self._sizes):
            self.store.unread(line, f"{len(rates)} figures below {len(self._sizes)} sizes", text)
            return
        for size, rate in zip(self._sizes, rates, strict=True):
            told = self._runs.pop((name, size), None)
            if told is None or abs(told - rate) > _SAME * told:
                self._store(name, size, rate, line, text, None)

    def _store(self, name: str, size: int, rate: float, line: int, text: str,
               seconds: float | None) -> None:
        algorithm, key = openssl_name(name)
        found = case(self.store, algorithm, "bytes", driver="openssl", key_bits=key,
                     block_bytes=size)
        self.store.add(found, rate, line, text, seconds)


def kernel_name(cipher: str) -> str:
    """``aes-cbc`` -> ``cbc(aes)``; ``aes-xts-plain64`` -> ``xts(aes)``."""
    name, mode, *_ = cipher.split("-")
    return f"{mode}({name})"


def openssl_name(name: str) -> tuple[str, int | None]:
    """``AES-128-GCM`` -> ``("gcm(aes)", 128)``; hashes and the rest keep their name."""
    match = _OPENSSL_CIPHER.fullmatch(name.replace("aes-128 ", "aes-128-").replace(
        "aes-192 ", "aes-192-").replace("aes-256 ", "aes-256-"))
    if match is None:
        return "-".join(name.lower().split()), None
    key = int(match["key"]) if match["key"] else None
    return f"{match['mode'].lower()}({match['cipher'].lower()})", key
