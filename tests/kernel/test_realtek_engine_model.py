"""The Python model of the Realtek engine against the reference and the data sheet."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.key_layouts import realtek_decryption_key
from reference.md5 import MD5
from reference.modes import cbc_decrypt, cbc_encrypt, ctr_crypt, ecb_decrypt, ecb_encrypt
from reference.realtek_engine import (
    CLOCK,
    COMMAND,
    CONTROL,
    DESTINATION,
    DESTINATION_DONE,
    DESTINATION_UNAVAILABLE,
    END_OF_RING,
    FIRST,
    OWN,
    POLL,
    RESET,
    SOURCE,
    SOURCE_LENGTH,
    SOURCE_UNAVAILABLE,
    RealtekEngine,
    SparseMemory,
    user_key,
)
from reference.sha1 import SHA1

SRC, DST, DATA, OUT = 0x1000, 0x8000, 0x10000, 0x20000
SRC_SLOTS, DST_SLOTS = 16, 4
CBC, CTR, HASH, MD5_BIT = 1 << 19, 1 << 18, 1 << 26, 1 << 16
ENCRYPT = 7 << 23


@dataclass
class Bench:
    """An engine with empty rings and a place to put requests."""

    memory: SparseMemory = field(default_factory=SparseMemory)
    slot: int = 0
    dst_slot: int = 0
    free: int = DATA

    def __post_init__(self) -> None:
        self.memory.write(SRC, bytes(16 * SRC_SLOTS))
        self.memory.write(DST, bytes(32 * DST_SLOTS))
        self.engine = RealtekEngine(self.memory)
        self.engine.write(CONTROL, CLOCK | 0b11111 << 11)
        self.engine.write(SOURCE, SRC)
        self.engine.write(DESTINATION, DST)

    def put(self, data: bytes) -> int:
        address = self.free
        self.memory.write(address, data)
        self.free += len(data) + 7
        return address

    def descriptor(self, word0: int, total: int, address: int, pad: int = 0) -> None:
        if self.slot == SRC_SLOTS - 1:
            word0 |= END_OF_RING
        data = b"".join(w.to_bytes(4, "big") for w in (word0, total, pad, address))
        self.memory.write(SRC + 16 * self.slot, data)
        self.slot = (self.slot + 1) % SRC_SLOTS

    def destination(self, word0: int) -> int:
        place = DST + 32 * self.dst_slot
        if self.dst_slot == DST_SLOTS - 1:
            word0 |= END_OF_RING
        self.memory.write(place, word0.to_bytes(4, "big") + OUT.to_bytes(4, "big") + bytes(24))
        self.dst_slot = (self.dst_slot + 1) % DST_SLOTS
        return place

    def request(self, word0: int, head: list[bytes], pieces: list[bytes],
                total: int | None = None, *, filler: bool = True) -> int:
        """Lay out a request; returns where its destination descriptor is."""
        if total is None:
            total = sum(map(len, pieces))
        is_hash = bool(word0 & HASH)
        place = self.destination(OWN | (0 if is_hash else total))
        first = self.put(head[0])
        count = len(head) + len(pieces)
        self.descriptor(OWN | FIRST | word0 | len(head[0]), total, first)
        for part in (*head[1:], *pieces):
            self.descriptor(OWN | len(part), total, self.put(part))
        if count % 2 and filler:
            self.descriptor(OWN, total, 0)
        return place

    def poll(self) -> int:
        self.engine.write(COMMAND, POLL)
        return self.engine.status


def split(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({c % len(data) for c in cuts} - {0})
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


def cipher_word(key: bytes, mode: int, *, encrypt: bool) -> int:
    return mode | (len(key) // 8 - 1) << 21 | (ENCRYPT if encrypt else 0)


KEYS = [bytes(range(n)) for n in (16, 24, 32)]
IV = bytes(range(0xF0, 0x100))


@given(st.sampled_from(KEYS), st.sampled_from(["ecb", "cbc", "ctr"]), st.booleans(),
       st.binary(min_size=16, max_size=160).map(lambda b: b[: len(b) // 16 * 16]),
       st.lists(st.integers(1, 200), max_size=6))
@settings(max_examples=40, deadline=None)
def test_ciphers_do_what_the_modes_say(key, mode, encrypt, data, cuts):
    bench = Bench()
    engine_key = key if encrypt or mode == "ctr" else realtek_decryption_key(key)
    word0 = cipher_word(key, {"ecb": 0, "cbc": CBC, "ctr": CTR}[mode],
                        encrypt=encrypt or mode == "ctr")
    iv = bytes(12) + IV[:4] if mode == "ctr" else IV
    bench.request(word0, [engine_key, iv], split(data, cuts))
    assert bench.poll() == DESTINATION_DONE
    assert bench.engine.interrupt
    wanted = {
        "ecb": lambda: (ecb_encrypt if encrypt else ecb_decrypt)(key, data),
        "cbc": lambda: (cbc_encrypt if encrypt else cbc_decrypt)(key, iv, data),
        "ctr": lambda: ctr_crypt(key, iv, data),
    }[mode]()
    assert bench.memory.read(OUT, len(data)) == wanted


@pytest.mark.parametrize("key", KEYS, ids=len)
def test_the_end_of_the_key_schedule_gives_the_key(key):
    assert user_key(realtek_decryption_key(key)) == key


@given(st.integers(1, 6), st.booleans(), st.lists(st.integers(1, 400), max_size=6))
@settings(max_examples=20, deadline=None)
def test_hash_gives_the_chaining_value_in_digest_byte_order(blocks, md5, cuts):
    data = bytes(i * 7 & 0xFF for i in range(64 * blocks))
    bench = Bench()
    place = bench.request(HASH | (MD5_BIT if md5 else 0), [bytes(128)], split(data, cuts))
    assert bench.poll() == DESTINATION_DONE
    state = MD5() if md5 else SHA1()
    state.update(data)
    order = "little" if md5 else "big"
    wanted = b"".join(w.to_bytes(4, order) for w in state.state)
    assert bench.memory.read(place + 12, len(wanted)) == wanted


def test_a_padded_message_gives_its_digest():
    message = b"abc" * 30
    padded = message + b"\x80" + bytes(128 - 91 - 8) + (8 * len(message)).to_bytes(8, "big")
    bench = Bench()
    place = bench.request(HASH, [bytes(128)], [message, padded[len(message):]])
    bench.poll()
    assert bench.memory.read(place + 12, 20) == hashlib.sha1(message).digest()


def test_the_counter_wraps_in_its_low_word_without_a_carry():
    key, data = KEYS[0], bytes(48)
    iv = bytes(11) + b"\x01" + b"\xff" * 4
    bench = Bench()
    bench.request(cipher_word(key, CTR, encrypt=True), [key, iv], [data])
    bench.poll()
    first = ctr_crypt(key, iv, data[:16])
    wrapped = ctr_crypt(key, iv[:12] + bytes(4), data[16:])
    assert bench.memory.read(OUT, 48) == first + wrapped
    assert bench.memory.read(OUT, 48) != ctr_crypt(key, iv, data)


def test_rings_are_handed_back_and_wrap():
    bench = Bench()
    for n in range(2 * DST_SLOTS + 1):
        bench.request(cipher_word(KEYS[0], 0, encrypt=True), [KEYS[0], IV], [bytes(16)])
        assert bench.poll() & DESTINATION_DONE
        bench.engine.write(COMMAND, DESTINATION_DONE)
        assert bench.engine.status == 0
        assert bench.engine.read(SOURCE) == SRC + 16 * (4 * (n + 1) % SRC_SLOTS)
        assert bench.engine.read(DESTINATION) == DST + 32 * ((n + 1) % DST_SLOTS)
    for slot in range(SRC_SLOTS):
        assert not bench.memory.read(SRC + 16 * slot, 1)[0] & 0x80


def test_several_requests_share_one_poll():
    bench = Bench()
    for _ in range(3):
        bench.request(HASH, [bytes(128)], [bytes(64)])
    assert bench.poll() == DESTINATION_DONE
    assert bench.engine.read(DESTINATION) == DST + 3 * 32


REFUSED = {
    "nine segments": (cipher_word(KEYS[0], 0, encrypt=True), [KEYS[0], IV], [bytes(16)] * 9,
                      None, SOURCE_LENGTH, "more than 8 data segments"),
    "odd total": (cipher_word(KEYS[0], 0, encrypt=True), [KEYS[0], IV], [bytes(15)], None,
                  SOURCE_LENGTH, "whole blocks"),
    "hash of half a block": (HASH, [bytes(128)], [bytes(32)], None, SOURCE_LENGTH,
                             "whole blocks"),
    "too long": (HASH, [bytes(128)], [bytes(16384)], None, SOURCE_LENGTH, "over 16383"),
    "total too long": (HASH, [bytes(128)], [bytes(64)], 16384, SOURCE_LENGTH, "over 16383"),
    "no prefix": (HASH, [bytes(64)], [bytes(64)], None, SOURCE_LENGTH, "128 bytes"),
    "short IV": (cipher_word(KEYS[0], CBC, encrypt=True), [KEYS[0], IV[:8]], [bytes(16)], None,
                 SOURCE_LENGTH, "IV has 16"),
    "wrong key length": (cipher_word(KEYS[0], 0, encrypt=True), [KEYS[1], IV], [bytes(16)], None,
                         SOURCE_LENGTH, "key length"),
    "less data than the total": (cipher_word(KEYS[0], 0, encrypt=True), [KEYS[0], IV],
                                 [bytes(16)], 32, SOURCE_LENGTH, "empty block|handed over"),
    "more data than the total": (cipher_word(KEYS[0], 0, encrypt=True), [KEYS[0], IV],
                                 [bytes(32)], 16, SOURCE_LENGTH, "more data"),
    "DES": (ENCRYPT, [bytes(8), IV], [bytes(16)], None, SOURCE_LENGTH, "DES"),
    "both modes": (cipher_word(KEYS[0], CBC | CTR, encrypt=True), [KEYS[0], IV], [bytes(16)],
                   None, SOURCE_LENGTH, "both"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_hardware_refuses(case):
    word0, head, pieces, total, bit, why = REFUSED[case]
    bench = Bench()
    bench.request(word0, head, pieces, total)
    status = bench.poll()
    assert status & (bit | SOURCE_UNAVAILABLE)
    assert not status & DESTINATION_DONE
    assert len(bench.engine.refusals) == 1
    assert re.search(why, bench.engine.refusals[0])


def test_a_block_length_that_runs_over_its_field_is_refused():
    bench = Bench()
    bench.request(HASH, [bytes(128)], [bytes(64)])
    bench.memory.write(SRC + 16, (OWN | 16384).to_bytes(4, "big"))
    assert bench.poll() == SOURCE_LENGTH
    assert "must be zero" in bench.engine.refusals[0]


def test_an_odd_number_of_descriptors_needs_the_filler():
    bench = Bench()
    bench.request(HASH, [bytes(128)], [bytes(32), bytes(32)], filler=False)
    assert bench.poll() == SOURCE_UNAVAILABLE
    assert "filler" in bench.engine.refusals[0]


def test_no_destination_is_an_error_and_only_reset_helps():
    bench = Bench()
    place = bench.request(HASH, [bytes(128)], [bytes(64)])
    bench.memory.write(place, bytes(4))
    assert bench.poll() == DESTINATION_UNAVAILABLE
    bench.memory.write(place, OWN.to_bytes(4, "big"))
    bench.engine.write(COMMAND, DESTINATION_UNAVAILABLE | POLL)
    assert bench.engine.status == 0
    bench.engine.write(COMMAND, RESET)
    assert bench.engine.read(SOURCE) == 0
    bench.engine.write(CONTROL, CLOCK)
    bench.engine.write(SOURCE, SRC)
    bench.engine.write(DESTINATION, DST)
    assert bench.poll() == DESTINATION_DONE


def test_without_clock_or_rings_nothing_happens():
    bench = Bench()
    bench.request(HASH, [bytes(128)], [bytes(64)])
    bench.engine.write(CONTROL, 0)
    assert bench.poll() == 0


def test_memory_that_is_not_there_is_an_address_error():
    bench = Bench()
    bench.request(cipher_word(KEYS[0], 0, encrypt=True), [KEYS[0], IV], [bytes(16)])
    bench.memory.write(SRC + 2 * 16 + 12, (0x7777).to_bytes(4, "big"))
    assert bench.poll() == 1 << 11
