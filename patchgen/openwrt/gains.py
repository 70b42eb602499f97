"""The cover letter's table of what each target gains."""

from __future__ import annotations

from collections.abc import Iterable

from patchgen.openwrt.plan import ConfigPatch

_COLUMNS = ("AES", "CTR", "CCM", "GCM", "SHA1", "SHA256", "SHA512", "CRC-T10")
_OF_DRIVER = {"AES modes": "CTR", "AES-CCM": "CCM", "AES-GCM": "GCM", "SHA-1": "SHA1",
              "SHA-256": "SHA256", "SHA-512": "SHA512", "CRC T10": "CRC-T10"}


def gains_table(patches: Iterable[ConfigPatch]) -> str:
    """A text table within 72 columns: one row a layer, one column an algorithm.

    ``CE`` is the Cryptography Extensions, ``asm`` scalar or NEON code; anything beyond the
    usual columns stands in a last one.
    """
    rows: list[tuple[str, ...]] = [("target", "kernel", *_COLUMNS, "")]
    for patch in patches:
        if patch.kind != "enable" or patch.choice is None:
            continue
        cells: dict[str, str] = {}
        others: list[str] = []
        for driver in patch.choice.missing:
            column = _OF_DRIVER.get(driver.name, driver.name)
            if column not in _COLUMNS:
                others.append(driver.name)
            elif cells.get(column) != "CE":
                cells[column] = "CE" if driver.uses_extensions else "asm"
        for index, kernel in enumerate(patch.kernels):
            marks = [cells.get(column, "-") for column in _COLUMNS]
            rows.append((patch.name if index == 0 else "", kernel, *marks, " ".join(others)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
