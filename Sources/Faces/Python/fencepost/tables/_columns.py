"""Finds the columns of a table, by names that the user gives or by the usual ones."""

import argparse
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .._library import FencepostError

USUAL = ("track", "time", "lat", "lon", "geometry")
OTHERS = ("person", "order")
# What a fix may have besides, by the names that fencepost knows in CSV; case and punctuation do not
# count. A speed needs its unit in the name: other columns may have km/h or knots.
MEASURES = {
    "accuracy": (
        "accuracy",
        "acc",
        "horizontalaccuracy",
        "accuracyhorizontal",
        "hacc",
        "haccuracy",
        "accuracymeters",
        "accuracym",
    ),
    "speed": (
        "speedmps",
        "speedms",
        "speedmeterspersecond",
        "speedmetersecond",
        "velocitymps",
        "velocityms",
    ),
    "course": (
        "course",
        "heading",
        "bearing",
        "coursedegrees",
        "headingdegrees",
        "bearingdegrees",
        "coursedeg",
        "headingdeg",
        "bearingdeg",
    ),
}
MEASURE_HELP = {"accuracy": "horizontal accuracy in meters", "speed": "speed in meters per second",
                "course": "course in degrees"}
# Most fixes of a track, which waits on a disk until its last.
MOST_TRACK_FIXES = 100_000_000
_CONDITION = re.compile(r"\s*([^<>=!]+?)\s*(<=|>=|!=|=|<|>)\s*(.+?)\s*")


class Fault(FencepostError):
    """Why a table cannot be read, in one sentence."""


def add_options(parser: "argparse._ActionsContainer", person_help: str) -> None:
    """Adds the options that name columns."""
    for name in USUAL:
        parser.add_argument(f"--{name}", metavar="COLUMN", help=f"the column (default {name})")
    parser.add_argument("--person", metavar="COLUMN", help=person_help)
    parser.add_argument("--order", metavar="COLUMN",
                        help="a column that orders the fixes of a track; otherwise their times do")
    for name, meaning in MEASURE_HELP.items():
        parser.add_argument(
            f"--{name}",
            metavar="COLUMN",
            help=f"the column of the {meaning}; otherwise found by its name, as in CSV",
        )
    parser.add_argument("--track-fixes", type=int, default=MOST_TRACK_FIXES, metavar="N",
                        help=f"skip tracks with more fixes (default {MOST_TRACK_FIXES:,})")
    parser.add_argument("--where", action="append", default=[], metavar="CONDITION",
                        help="read only rows such as day>=2026-03-01; may be given several times")


class Condition(NamedTuple):
    """A comparison of a column with a value, which readers of Parquet apply before they read."""
    column: str
    sign: str
    value: str

    @classmethod
    def of(cls, text: str) -> "Condition":
        found = _CONDITION.fullmatch(text)
        if not found:
            raise Fault(f"--where takes a column, a comparison and a value, not “{text}”")
        return cls(*found.groups())

    def apply(self, column: Any, value: Any) -> Any:
        """The condition on a column of Arrow or Spark, with the value in its type."""
        compare: Any = _COMPARISONS[self.sign]
        return compare(column, value)


_COMPARISONS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
                ">": operator.gt, ">=": operator.ge}


def named(arguments: argparse.Namespace) -> dict[str, str]:
    """The columns that the user named."""
    return {
        name: getattr(arguments, name)
        for name in (*USUAL, *OTHERS, *MEASURES)
        if getattr(arguments, name)
    }


def wanted(names: Mapping[str, str]) -> dict[str, str]:
    """The columns to look for, by names of our own."""
    return {**dict(zip(USUAL, USUAL)), **names}


def choose(
    names: Mapping[str, str], present: Sequence[str], lists: Sequence[str] = (),
) -> dict[str, str]:
    """The columns to read, by names of our own; a fault if the table lacks what is named or needed.

    `lists` are the columns whose values are lists.
    """
    searched = _measured(present) | wanted(names)
    if "track" not in names and "track" not in present and "device" in present:
        searched["track"] = "device"
    chosen = {name: column for name, column in searched.items() if column in present}
    listed = ", ".join(present)
    if lists and not {"lat", "geometry"} & chosen.keys():
        raise Fault(f"has a list in each row of {', '.join(lists)}; make a row of each fix, "
                    "for instance with explode of Spark or DuckDB's unnest")
    for name in ("track", *names):
        if name not in chosen:
            hint = "" if name in names else f"; --{name} names it"
            raise Fault(f"has no column {searched[name]}, but {listed}{hint}")
    if "lat" in chosen and "lon" in chosen:
        chosen.pop("geometry", None)
    elif "geometry" not in chosen:
        raise Fault(
            f"has neither {searched['lat']} and {searched['lon']} nor {searched['geometry']}, but {listed}"
        )
    if "time" not in chosen and "person" in chosen:
        raise Fault(
            f"has no column time, but {listed}; --time names it: a person's tracks go by their times"
        )
    if "time" not in chosen and "order" not in chosen:
        raise Fault(f"has no column time, but {listed}; --time names it, "
                    "or --order says the order where there are no times")
    return chosen


def _measured(present: Iterable[str]) -> dict[str, str]:
    """The columns of accuracy, speed and course, by their names."""
    plain: dict[str, str] = {}
    for column in present:
        plain.setdefault("".join(sign for sign in column.lower() if sign.isalnum()), column)
    found = {measure: next((plain[name] for name in names if name in plain), None)
             for measure, names in MEASURES.items()}
    return {measure: column for measure, column in found.items() if column}


def notices(chosen: Mapping[str, str], present: Iterable[str]) -> list[str]:
    """What the user should know about the columns, as sentences."""
    if "speed" in present and "speed" not in chosen:
        return ["The column speed was left out, because its name states no unit. "
                "If it has meters per second: --speed speed"]
    return []


def timed(rows: int, untimed: int, column: str, is_ordered: bool) -> tuple[bool, str | None]:
    """Whether the column of times counts, and what to say if some rows lack one."""
    if rows == untimed:
        if not is_ordered:
            raise Fault(f"has no time in {column}; --order says the order where there are no times")
        return False, None
    if not untimed:
        return True, None
    verb = "has" if untimed == 1 else "have"
    return True, f"{untimed:,} of {rows:,} rows {verb} no {column}; left out."


def check_filled(rows: int, empty: Mapping[str, int]) -> None:
    """Refuses rows without a track or person, by how many lack which column."""
    for column, count in empty.items():
        if count:
            verb = "has" if count == 1 else "have"
            raise Fault(
                f"{count:,} of {rows:,} rows {verb} no {column}; leave them out or give them one"
            )
