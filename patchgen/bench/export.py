"""The data model as JSON and CSV: one record a case (or a run), the same names in both."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from patchgen.bench.compare import Comparison, Ratio, Summary
from patchgen.bench.model import BenchLog, Curve, Measurement
from patchgen.bench.outliers import Outlier
from patchgen.bench.recommend import Recommendation
from patchgen.bench.threshold import Crossing

FIELDS = (
    "source", "line", "side", "algorithm", "driver", "direction", "key_bits", "block_bytes",
    "update_bytes", "variant", "ops_per_s", "bytes_per_s", "cycles_per_op", "seconds", "runs",
    "low", "high", "low_line", "spread", "suspect",
)
"""The columns: ``low`` and ``high`` are in the unit the log states, ``spread`` is a fraction."""


def record(measurement: Measurement, suspect: bool = False) -> dict[str, object]:
    """One measurement with the names of ``FIELDS``; what the log does not say is ``None``."""
    case = measurement.case
    return {
        "source": measurement.source, "line": measurement.line, "side": case.side or None,
        "algorithm": case.algorithm, "driver": case.driver or None,
        "direction": case.direction or None, "key_bits": case.key_bits,
        "block_bytes": case.block_bytes, "update_bytes": case.update_bytes,
        "variant": case.variant or None, "ops_per_s": measurement.ops_per_second,
        "bytes_per_s": measurement.bytes_per_second,
        "cycles_per_op": measurement.cycles_per_operation, "seconds": measurement.seconds,
        "runs": measurement.runs, "low": measurement.low, "high": measurement.high,
        "low_line": measurement.low_line, "spread": round(measurement.spread, 6),
        "suspect": suspect,
    }


def log_document(logs: Sequence[BenchLog], outliers: Sequence[Outlier]) -> dict[str, object]:
    """All logs: records, suspect figures, and the lines that could not be read."""
    whole = {outlier.measurement for outlier in outliers if outlier.whole}
    return {
        "logs": [
            {
                "source": log.source, "lines": log.lines, "figures": log.figures,
                "cut_lines": log.cut, "notes": list(log.notes), "unread_lines": log.unread_total,
                "unread": [{"line": each.line, "reason": each.reason, "text": each.text}
                           for each in log.unread],
            }
            for log in logs
        ],
        "records": [record(each, each in whole) for log in logs for each in log.measurements],
        "suspects": [
            {"source": each.measurement.source, "line": each.line, "reason": each.reason}
            for each in outliers
        ],
    }


def curve_fields(curve: Curve) -> dict[str, object]:
    """What names a curve, with the names of ``FIELDS``."""
    return {
        "algorithm": curve.algorithm, "direction": curve.direction or None,
        "key_bits": curve.key_bits, "update_bytes": curve.update_bytes,
        "variant": curve.variant or None,
    }


def ratio_record(comparison: Comparison, curve: Curve, ratio: Ratio) -> dict[str, object]:
    """One ratio with both lines it comes from."""
    return {
        "base": comparison.base, "other": comparison.other, **curve_fields(curve),
        "block_bytes": ratio.block_bytes, "ratio": round(ratio.ratio, 6),
        "noise": round(ratio.noise, 6), "verdict": ratio.verdict or "same",
        "base_source": ratio.base.source, "base_line": ratio.base.line,
        "other_source": ratio.other.source, "other_line": ratio.other.line,
    }


def compare_document(comparisons: Iterable[Comparison]) -> dict[str, object]:
    """All comparisons: every ratio, and a summary an algorithm."""
    return {
        "comparisons": [
            {
                "base": comparison.base, "other": comparison.other,
                "unmatched": comparison.unmatched,
                "summary": {name: _summary(summary)
                            for name, summary in comparison.by_algorithm().items()},
                "ratios": [ratio_record(comparison, curve, ratio)
                           for curve, ratios in comparison.curves.items() for ratio in ratios],
            }
            for comparison in comparisons
        ]
    }


def _summary(summary: Summary) -> dict[str, object]:
    return {
        "count": summary.count, "geometric_mean": summary.mean,
        "lowest": summary.lowest.ratio if summary.lowest else None,
        "lowest_block_bytes": summary.lowest.block_bytes if summary.lowest else None,
        "highest": summary.highest.ratio if summary.highest else None,
        "highest_block_bytes": summary.highest.block_bytes if summary.highest else None,
        "within_2_percent_from_bytes": summary.within_from,
    }


def crossing_record(crossing: Crossing) -> dict[str, object]:
    """One curve's break-even sizes in bytes; ``None`` is never."""
    return {
        **curve_fields(crossing.curve),
        "overtakes_bytes": crossing.overtakes, "always": crossing.always,
        "even_from_bytes": crossing.even_from, "offload_from_bytes": crossing.offload_from,
        "ratio_at_smallest": crossing.steps[0].ratio, "ratio_at_largest": crossing.final.ratio,
        "smallest_bytes": crossing.steps[0].block_bytes,
        "largest_bytes": crossing.final.block_bytes,
    }


def threshold_document(
    software: str, hardware: str, told: str, found: Sequence[Crossing], advice: Recommendation,
) -> dict[str, object]:
    """Break-even sizes and the recommended value with its reasoning."""
    return {
        "software": software, "hardware": hardware, "told_apart": told,
        "curves": [{**crossing_record(each), "left_out_bytes": list(each.left_out)}
                   for each in found],
        "recommended": advice.value, "reasons": list(advice.reasons),
        "families": [{"name": each.name, "even_from_bytes": each.even_from, "value": each.value}
                     for each in advice.families],
    }


def csv_lines(records: Iterable[dict[str, object]]) -> Iterator[str]:
    """Records as CSV (RFC 4180), heading first, each line without its line end."""
    writer: csv.DictWriter[str] | None = None
    buffer = io.StringIO()
    for each in records:
        if writer is None:
            writer = csv.DictWriter(buffer, list(each), lineterminator="\n")
            writer.writeheader()
        writer.writerow(each)
        yield from buffer.getvalue().splitlines()
        buffer.seek(0)
        buffer.truncate()
