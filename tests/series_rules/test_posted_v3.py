"""The mail side of the posted realtek v3, rebuilt from what is known of it (D48 to D54).

Own files with the posted series' names, subjects, order, recipients and faults.
"""

from __future__ import annotations

import quopri
from pathlib import Path

import pytest

from patchgen.checks.series import check_series
from patchgen.findings import Finding
from patchgen.mail import read_series

SEED = Path(__file__).resolve().parents[3] / "shared" / "seeds" / "realtek-crypto-v3.txt"
WHO = "Markus Stockhausen <markus.stockhausen@gmx.de>"
DRIVER = "drivers/crypto/realtek/realtek_crypto"
BINDING = "Documentation/devicetree/bindings/crypto/realtek,realtek-crypto.yaml"


def new_file(path: str, lines: list[str]) -> str:
    return (f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
            f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines))


def code(name: str, count: int) -> str:
    head = "// SPDX-License-Identifier: GPL-2.0" if name.endswith(".c") else (
        "/* SPDX-License-Identifier: GPL-2.0 */")
    return new_file(DRIVER + name, [head, *(f"int realtek_value_{n};" for n in range(count - 1))])


HOOKS = (
    "diff --git a/drivers/crypto/Kconfig b/drivers/crypto/Kconfig\n--- a/drivers/crypto/Kconfig\n"
    "+++ b/drivers/crypto/Kconfig\n@@ -666,3 +666,4 @@\n \n"
    '+source "drivers/crypto/realtek/Kconfig"\n \n config CRYPTO_DEV_ROCKCHIP\n'
    + new_file("drivers/crypto/realtek/Makefile", ["# SPDX-License-Identifier: GPL-2.0",
                                                   "obj-m := rtl_crypto.o"]))
USER = new_file(f"{DRIVER}_user.c", ["// SPDX-License-Identifier: GPL-2.0",
                                     '\t{ .compatible = "realtek,realtek-crypto" },'])
PATCHES = (
    ("header definitions", "Add header definitions for new Realtek crypto device.",
     code(".h", 328)),
    ("core functions", "Add core functions for new Realtek crypto device.",
     code(".c", 475) + USER),
    ("hash algorithms", "Add md5/sha1 hash algorithms for new Realtek crypto device.",
     code("_ahash.c", 412)),
    ("skcipher algorithms", "Add ecb(aes), cbc(aes) and ctr(aes) skcipher algorithms.",
     code("_skcipher.c", 376)),
    ("enable module", "Add new Realtek crypto device to the kernel configuration.", HOOKS),
    ("add devicetree documentation", "Add devicetree documentation of the device.",
     new_file(BINDING, ["# SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)",
                        "%YAML 1.2", "properties:", "  compatible:",
                        "    const: realtek,realtek-crypto"])),
)
COVER = """\
This driver adds support for the Realtek crypto engine. The sweet spot (harware
speed = software speed) starts at 256 byte blocks.

Markus Stockhausen (6)
  crypto/realtek: header definitions
  crypto/realtek: core functions
  crypto/realtek: hash algorithms
  crypto/realtek: skcipher algorithms
  crypto/realtek: enable module
  crypto/realtek: add devicetree documentation

/devicetree/bindings/crypto/realtek,realtek-crypto.yaml|   51 +
drivers/crypto/realtek/realtek_crypto.c                |  475 ++++++++++
8 files changed, 1661 insertions(+)
"""


def posted() -> list[bytes]:
    """Cover and six patches, all quoted-printable with blanks stripped at line ends."""
    mails = []
    for number in range(7):
        version = "v4" if number == 4 else "v3"
        title = "add new driver" if number == 0 else PATCHES[number - 1][0]
        body = COVER if number == 0 else (
            f"{PATCHES[number - 1][1]}\n\nSigned-off-by: {WHO}\n---\n\n{PATCHES[number - 1][2]}"
            "--\n2.38.1\n")
        thread = "" if number == 0 else "In-Reply-To: <0.x@gmx.de>\nReferences: <0.x@gmx.de>\n"
        head = (f"From: {WHO}\nTo: linux-crypto@vger.kernel.org\nCc: {WHO}\n"
                f"Subject: [PATCH {version} {number}/6] crypto/realtek: {title}\n"
                f"Message-Id: <{number}.x@gmx.de>\n{thread}"
                "Content-Transfer-Encoding: quoted-printable\n\n")
        text = "".join(line.rstrip() + "\n" for line in body.splitlines())
        mails.append(head.encode() + quopri.encodestring(text.encode()))
    if SEED.is_file():
        mails[0] = SEED.read_bytes()
    return mails


@pytest.fixture(scope="module")
def found() -> list[Finding]:
    mails = posted()
    if SEED.is_file():
        mails[1:] = [m.replace(b"<0.x@gmx.de>",
                               b"<20221231162525.416709-1-markus.stockhausen@gmx.de>")
                     for m in mails[1:]]
    findings, _ = check_series(read_series(mails), tree=None)
    return [f for f in findings if f.severity != "note"]


@pytest.mark.parametrize(("defect", "check", "patch"), [
    ("D48 binding comes last", "binding-first", 2),
    ("D48 devicetree list not addressed", "recipients-missing", 6),
    ("D49 no MAINTAINERS entry", "maintainers-missing", 1),
    ("D50 prefix with a slash", "subject-prefix", 3),
    ("D50 prefix of the cover", "subject-prefix", 0),
    ("D50 4/6 is a v4", "series-version", 4),
    ("D51 shortlog count without colon", "cover-shortlog", 0),
    ("D51 stat with a cut path", "cover-diffstat", 0),
    ("D51 harware", "message-spelling", 0),
    ("D52 one sentence for a driver", "message-short", 2),
    ("D54 quoted-printable", "mail-encoding", 5),
    ("D54 empty context lines without blank", "context-blank", 5),
])
def test_defect_is_reported(found: list[Finding], defect: str, check: str, patch: int) -> None:
    mine = {f.check for f in found if f.patch == patch}
    if check == "maintainers-missing":
        mine = {f.check for f in found}
    if check == "message-spelling" and check not in mine:
        pytest.importorskip("codespell_lib", reason="codespell is not installed (extra spell)")
    assert check in mine, (defect, sorted(mine))
