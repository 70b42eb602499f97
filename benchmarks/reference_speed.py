"""How fast `reference/` is beside every pure-Python peer on PyPI that does the same.

    python benchmarks/reference_speed.py [--peers FOLDER] [--only WORD] [--json] [--strict]

Each row runs ours and the peers in turns, many times, and keeps the best processor time of
each, so that all see the same machine. `--peers` adds a folder of packages (the target of
`pip install --target`). A peer that is not installed is named with the line that installs
it. `--strict` ends with status 1 when ours is below twice the best peer of a row.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import random
import sys
import time
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

Work = Callable[[], object]
SIZE = 1 << 16
SMALL = 1 << 13
TARGET = 2.0
_RNG = random.Random(2026)
DATA = _RNG.randbytes(SIZE)
KEY, KEY32, IV = _RNG.randbytes(16), _RNG.randbytes(32), _RNG.randbytes(16)


@dataclass(frozen=True)
class Peer:
    """A package on PyPI; `work` imports it and gives what to time, and over how many bytes."""

    package: str
    work: Callable[[], tuple[Work, int]]


@dataclass(frozen=True)
class Row:
    """What is measured: ours over `size` bytes, and the peers."""

    name: str
    ours: Work
    size: int = SIZE
    peers: tuple[Peer, ...] = ()


@dataclass
class Measured:
    """Bytes per second of ours and of each peer that ran; why the others did not."""

    row: Row
    ours: float
    peers: dict[str, float] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def best(self) -> tuple[str, float] | None:
        """The fastest peer."""
        return max(self.peers.items(), key=lambda item: item[1]) if self.peers else None

    @property
    def ratio(self) -> float | None:
        """Ours to the fastest peer."""
        return self.ours / self.best[1] if self.best else None


def _purepycrypto(call: str) -> Peer:
    def work() -> tuple[Work, int]:
        from purepycrypto import aes, chacha
        from purepycrypto import hash as hashes

        cipher = aes.AES(KEY)
        ciphertext = cipher.encrypt_cbc(DATA[:SMALL], IV)
        works: dict[str, tuple[Work, int]] = {
            "ecb": (lambda: cipher.encrypt_ecb(DATA[:SMALL], 1), SMALL),
            "cbc": (lambda: cipher.encrypt_cbc(DATA[:SMALL], IV), SMALL),
            "cbc-decrypt": (lambda: cipher.decrypt_cbc(ciphertext, IV, 1), SMALL),
            "ctr": (lambda: cipher.encrypt_ctr(DATA[:SMALL], IV[:8], 1), SMALL),
            "gcm": (lambda: cipher.gcm_encrypt(IV[:12], DATA[:SMALL]), SMALL),
            "ghash": (lambda: aes._ghash_serial(DATA, int.from_bytes(KEY, "big")), SIZE),
            "sha256": (lambda: hashes.sha256(DATA), SIZE),
            "sha512": (lambda: hashes.sha512(DATA), SIZE),
            "sha256-many": (lambda: [hashes.sha256(m) for m in MESSAGES], SIZE),
            "sha512-many": (lambda: [hashes.sha512(m) for m in MESSAGES], SIZE),
            "chacha20": (
                lambda: chacha._chacha20_keystream(KEY32, IV[:12], 1, SMALL), SMALL
            ),
        }
        return works[call]

    return Peer("purepycrypto", work)


def _pyaes(mode: str) -> Peer:
    def work() -> tuple[Work, int]:
        import pyaes

        if mode == "ctr":
            return lambda: pyaes.AESModeOfOperationCTR(KEY).encrypt(DATA[:SMALL]), SMALL
        cipher = pyaes.AES(KEY)
        one = cipher.encrypt if mode == "ecb" else cipher.decrypt
        return lambda: [one(DATA[i : i + 16]) for i in range(0, SMALL, 16)], SMALL

    return Peer("pyaes", work)


def _tlslite(call: str) -> Peer:
    def work() -> tuple[Work, int]:
        from tlslite.utils import chacha, python_aes, python_aesccm, python_aesgcm

        data, key, iv = bytearray(DATA[:SMALL]), bytearray(KEY), bytearray(IV)
        if call == "chacha20":
            cipher = chacha.ChaCha(bytearray(KEY32), iv[:12])
            return lambda: cipher.encrypt(data), SMALL
        if call in ("gcm", "ccm"):
            aead = (python_aesgcm if call == "gcm" else python_aesccm).new(key)
            return lambda: aead.seal(iv[:12], data, bytearray()), SMALL
        mode = {"cbc": 2, "ctr": 6}[call]
        return lambda: python_aes.new(key, mode, iv).encrypt(data), SMALL

    return Peer("tlslite-ng", work)


def _cryptoarithmetic(call: str) -> Peer:
    def work() -> tuple[Work, int]:
        from cryptoarithmetic.hashing.sha2 import SHA
        from cryptoarithmetic.mac.cmac import CBCMAC, CMAC
        from cryptoarithmetic.symmetric.aes import AES

        data = DATA[:SMALL]
        if call.startswith("sha"):
            return lambda: SHA(data, call).hash(), SMALL
        mac = (CMAC if call == "cmac" else CBCMAC)(AES(KEY))
        return lambda: mac.mac(data), SMALL

    return Peer("cryptoarithmetic", work)


def _pycrypt(name: str) -> Peer:
    def work() -> tuple[Work, int]:
        if not hasattr(typing, "override"):  # the package asks for Python 3.12 for this alone
            typing.override = lambda function: function  # type: ignore[attr-defined]
        from pycrypt.hash.sha import variants

        one = getattr(variants, name)
        return lambda: one(DATA[:SMALL]).digest(), SMALL

    return Peer("pycrypt-lib", work)


def _pure_chacha20(call: str) -> Peer:
    def work() -> tuple[Work, int]:
        import pure_chacha20

        if call == "xchacha20":
            nonce = IV + IV[:8]
            return lambda: pure_chacha20.xchacha20_xor(KEY32, nonce, DATA[:SMALL]), SMALL
        return lambda: pure_chacha20.chacha20_xor(KEY32, IV[:12], DATA[:SMALL]), SMALL

    return Peer("pure-chacha20", work)


def _purecrypt(call: str) -> Peer:
    def work() -> tuple[Work, int]:
        from purecrypt import aes

        data = DATA[:1024]
        works: dict[str, Work] = {
            "ghash": lambda: aes._ghash(int.from_bytes(KEY, "big"), data),
            "gcm": lambda: aes.gcm_encrypt(KEY, IV[:12], data),
        }
        return works[call], len(data)

    return Peer("purecrypt", work)


def _crc(package: str, kind: str) -> Peer:
    def work() -> tuple[Work, int]:
        if package == "crc":
            import crc

            calculator = crc.Calculator(crc.Crc32.CRC32, optimized=True)
            return lambda: calculator.checksum(DATA), SIZE
        if package == "crccheck":
            from crccheck.crc import Crc16T10Dif, Crc32, Crc32c

            one = {"crc32": Crc32, "crc32c": Crc32c, "crct10dif": Crc16T10Dif}[kind]
            return lambda: one.calc(DATA), SIZE
        if package == "crcengine":
            import crcengine

            engine = crcengine.new({"crc32": "crc32", "crc32c": "crc32-c"}[kind])
            return lambda: engine(DATA), SIZE
        from crcmod import _crcfunpy

        crcmod = importlib.import_module("crcmod.crcmod")
        if kind == "crct10dif":
            table = crcmod._mkTable(0x18BB7, 16)
            return lambda: _crcfunpy._crc16(DATA, 0, table), SIZE
        generator = {"crc32": 0x104C11DB7, "crc32c": 0x11EDC6F41}[kind]
        table = crcmod._mkTable_r(generator, 32)
        return lambda: _crcfunpy._crc32r(DATA, 0xFFFFFFFF, table), SIZE

    return Peer(package, work)


MESSAGES = [DATA[i : i + 256] for i in range(0, SIZE, 256)]


def rows() -> Iterator[Row]:
    """All rows; ours are imported here so that importing this module costs nothing."""
    from reference import ccm, chacha, crc, essiv, gcm, ghash, mac, modes, sha2_many, stealing
    from reference.md5 import MD5
    from reference.sha1 import SHA1
    from reference.sha256 import SHA256
    from reference.sha512 import SHA512

    yield Row("AES-128 ECB", lambda: modes.ecb_encrypt(KEY, DATA), SIZE,
              (_pyaes("ecb"), _purepycrypto("ecb")))
    yield Row("AES-128 ECB decryption", lambda: modes.ecb_decrypt(KEY, DATA), SIZE,
              (_pyaes("ecb-decrypt"),))
    yield Row("AES-128 CBC", lambda: modes.cbc_encrypt(KEY, IV, DATA), SIZE,
              (_purepycrypto("cbc"), _tlslite("cbc")))
    yield Row("AES-128 CBC decryption", lambda: modes.cbc_decrypt(KEY, IV, DATA), SIZE,
              (_purepycrypto("cbc-decrypt"),))
    yield Row("AES-128 CTR", lambda: modes.ctr_crypt(KEY, IV, DATA), SIZE,
              (_pyaes("ctr"), _purepycrypto("ctr"), _tlslite("ctr")))
    yield Row("AES-128 CBC-CTS", lambda: stealing.cts_encrypt(KEY, IV, DATA))
    yield Row("AES-128 XTS", lambda: stealing.xts_encrypt(KEY32, IV, DATA))
    yield Row("AES-128 ESSIV-CBC", lambda: essiv.essiv_cbc_encrypt(KEY, IV, DATA))
    yield Row("AES-128 CBC-MAC", lambda: mac.cbc_mac(KEY, DATA), SIZE,
              (_cryptoarithmetic("cbcmac"),))
    yield Row("AES-128 CMAC", lambda: mac.cmac(KEY, DATA), SIZE, (_cryptoarithmetic("cmac"),))
    yield Row("AES-128 XCBC", lambda: mac.xcbc(KEY, DATA))
    yield Row("AES-128 CCM", lambda: ccm.ccm_encrypt(KEY, IV[:12], b"", DATA), SIZE,
              (_tlslite("ccm"),))
    yield Row("AES-128 GCM", lambda: gcm.gcm_encrypt(KEY, IV[:12], b"", DATA), SIZE,
              (_purepycrypto("gcm"), _tlslite("gcm"), _purecrypt("gcm")))
    yield Row("GHASH", lambda: ghash.ghash(KEY, DATA), SIZE,
              (_purepycrypto("ghash"), _purecrypt("ghash")))
    yield Row("MD5", lambda: MD5(DATA).final())
    yield Row("SHA-1", lambda: SHA1(DATA).final(), SIZE, (_pycrypt("SHA1"),))
    yield Row("SHA-256, one message", lambda: SHA256(DATA).final(), SIZE,
              (_purepycrypto("sha256"), _cryptoarithmetic("sha256"), _pycrypt("SHA256")))
    yield Row("SHA-512, one message", lambda: SHA512(DATA).final(), SIZE,
              (_purepycrypto("sha512"), _cryptoarithmetic("sha512")))
    yield Row("SHA-256, 256 messages", lambda: sha2_many.digests(SHA256, MESSAGES), SIZE,
              (_purepycrypto("sha256-many"),))
    yield Row("SHA-512, 256 messages", lambda: sha2_many.digests(SHA512, MESSAGES), SIZE,
              (_purepycrypto("sha512-many"),))
    yield Row("CRC-32", lambda: crc.CRC32(DATA).value, SIZE,
              tuple(_crc(p, "crc32") for p in ("crc", "crccheck", "crcengine", "crcmod")))
    yield Row("CRC-32, table alone",
              lambda: crc.register_by_table(crc.PARAMETERS_CRC32, 0, DATA))
    yield Row("CRC-32C", lambda: crc.CRC32C(DATA).value, SIZE,
              tuple(_crc(p, "crc32c") for p in ("crccheck", "crcengine", "crcmod")))
    yield Row("CRC-T10DIF", lambda: crc.CRCT10DIF(DATA).value, SIZE,
              tuple(_crc(p, "crct10dif") for p in ("crccheck", "crcmod")))
    yield Row("ChaCha20", lambda: chacha.chacha20_crypt(KEY32, 1, IV[:12], DATA), SIZE,
              (_purepycrypto("chacha20"), _tlslite("chacha20"), _pure_chacha20("chacha20")))
    yield Row("XChaCha20", lambda: chacha.xchacha20_crypt(KEY32, 1, IV + IV[:8], DATA), SIZE,
              (_pure_chacha20("xchacha20"),))


def _seconds(work: Work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(row: Row, rounds: int) -> Measured:
    """Ours and the peers in turns, after one call each that builds tables."""
    works: dict[str, tuple[Work, int]] = {"": (row.ours, row.size)}
    missing = {}
    for peer in row.peers:
        try:
            works[peer.package] = peer.work()
        except (ImportError, AttributeError) as error:
            missing[peer.package] = f"{error}; pip install {peer.package}"
    for work, _ in works.values():
        work()
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, (work, _) in works.items():
            best[name] = min(best[name], _seconds(work))
    speeds = {name: works[name][1] / seconds for name, seconds in best.items()}
    return Measured(row, speeds.pop(""), speeds, missing)


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "?"


def _line(m: Measured) -> str:
    text = f"{m.row.name:<24} {m.ours / 1e6:9.2f}"
    if m.best and m.ratio:
        others = ", ".join(f"{n} {_version(n)} {s / 1e6:.2f}" for n, s in
                           sorted(m.peers.items(), key=lambda item: -item[1]))
        text += f"  {m.ratio:6.1f}x  {others}"
    elif not m.row.peers:
        text += "          no pure-Python peer found on PyPI"
    for name, why in m.missing.items():
        text += f"\n{'':<24} not measured: {name} ({why})"
    return text


def main() -> int:
    """Measure, print, and say whether every row reaches the target."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--peers", type=Path, help="a folder with the peers' packages")
    parser.add_argument("--only", default="", help="rows whose name has this word")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--strict", action="store_true")
    args = parser.parse_args()
    if args.peers:
        sys.path.append(str(args.peers))
    found = []
    if not args.json:
        print(f"{'':<24} {'MB/s':>9}  {'ratio':>7}  peers, best first (MB/s)")
    for row in rows():
        if args.only.lower() in row.name.lower():
            found.append(measure(row, args.rounds))
            if not args.json:
                print(_line(found[-1]), flush=True)
    if args.json:
        print(json.dumps([
            {"name": m.row.name, "bytes_per_second": m.ours, "ratio": m.ratio,
             "peers": m.peers, "missing": m.missing} for m in found
        ], indent=2))
    slow = [m.row.name for m in found if m.ratio is not None and m.ratio < TARGET]
    if slow:
        print(f"below {TARGET:g} times the best peer: {', '.join(slow)}", file=sys.stderr)
    return 1 if args.strict and slow else 0


if __name__ == "__main__":
    sys.exit(main())
