"""The columns of the tables that an analysis becomes, each with its type and its place in a line.

Types have Spark's names, from which Arrow's follow. Times are instants in UTC. A column is written
`name` or `name=path`, where the path in the line of NDJSON is not the name in camel case.
"""

import re
from typing import TypeAlias

import pyarrow as pa


#: A name, a type and the place in a line.
Column: TypeAlias = tuple[str, str, str]


def columns(kind: str, names: str) -> list[Column]:
    """Columns of one type: name, type and path of each."""
    return [(name, kind, path or re.sub(r"_(\w)", lambda match: match[1].upper(), name))
            for name, _, path in (word.partition("=") for word in names.split())]


def large(given: list[Column]) -> list[Column]:
    """The same columns with large numbers."""
    return [(name, kind.replace("int", "bigint"), path) for name, kind, path in given]


COUNTS = (columns("int", "entries found late missed extra alerts delayed")
          + columns("map<string,int>", "suppressed") + columns("int", "oracle_alerts found_alerts"))
RANKS = [column for moment in ("refresh=atRefresh", "entry=atEntry")
         for name, path in [moment.split("=")] for column in
         columns("int", f"{name}_rank={path}.rank")
         + columns("double", f"{name}_distance_meters={path}.distance "
                   f"{name}_last_distance_meters={path}.lastDistance")]
FOUND = columns("int", "found_fix") + columns("timestamp", "found_time")
# The day of the track's first fix, so that a track's rows share a partition.
TRACK_DAY = columns("string", "track") + columns("date", "date")
VERDICT = (TRACK_DAY + columns("string", "place verdict")
           + columns("double", "nearest_meters=nearest") + columns("boolean", "inside_at_start=inside") + columns("string", "reason")
           + COUNTS + FOUND + RANKS)
ENTRY = (TRACK_DAY + columns("string", "place") + columns("int", "fix")
         + columns("double", "fraction") + columns("timestamp", "time") + columns("double", "lat lon")
         + columns("string", "across cause") + columns("boolean", "alert")
         + columns("timestamp", "delivery") + columns("string", "reason")
         + columns("boolean", "oracle_alert") + FOUND + RANKS)
TRACK = (TRACK_DAY + columns("string", "status=type error copy_of=of person")
         + columns("int", "fixes rejected") + columns("map<string,int>", "rejected_by_reason")
         + columns("timestamp", "first last")
         + columns("bigint", "length_millimeters travel_milliseconds")
         + columns("int", "refreshes failed_refreshes") + COUNTS
         + columns("map<string,int>", "stories")
         + columns("int", "oracle_stories found_stories most_circles")
         + columns("boolean", "certified") + columns("array<int>", "alerts_by_hour")
         + columns("map<string,int>", "alerts_by_day=days")
         + columns("array<array<string>>", "moments"))
CHANCE = (TRACK_DAY + columns("string", "type profile place") + columns("bigint", "trials alerts")
          + columns("double", "probability") + columns("string", "line"))
STORY = (columns("string", "place title category")
         + columns("double", "lat lon radius_meters=radius") + columns("map<string,bigint>", "tracks") + large(COUNTS)
         + columns("bigint", "oracle_tracks nearest_millimeters")
         + columns("string", "nearest_track")
         + columns("bigint", "moments persons person_days repeats"))
TOTALS = (columns("bigint", "tracks skipped copies fixes rejected")
          + columns("map<string,bigint>", "rejected_by_reason")
          + columns("bigint", "length_millimeters travel_milliseconds refreshes failed_refreshes")
          + large(COUNTS) + columns("map<string,bigint>", "verdicts")
          + [column for name in ("recall", "entry_recall", "story_recall")
             for column in columns("double", name) + columns("array<double>", name + "_interval")]
          + columns("bigint", "stories silent_stories")
          + columns("double", "alerts_per_track alerts_per_hour refreshes_per_kilometer")
          + columns("bigint", "spots most_circles certified_tracks uncertified_tracks")
          + columns("array<bigint>", "alerts_by_hour")
          + columns("bigint", "persons lone_tracks person_days "
                    "alerts_per_person_day_median=alertsPerPersonDay.median "
                    "alerts_per_person_day_p90=alertsPerPersonDay.p90 "
                    "alerts_per_person_day_most=alertsPerPersonDay.most "
                    "fatigue person_days_over_fatigue"))

# The tables by name; those of tracks come first.
TRACK_TABLES = {"verdicts": VERDICT, "entries": ENTRY, "tracks": TRACK, "chances": CHANCE}
TOTAL_TABLES = {"stories": STORY, "totals": TOTALS}
TABLES = TRACK_TABLES | TOTAL_TABLES
# The table of each type of line; the others are only in the NDJSON.
TABLE_OF_TYPE = {
    "verdict": "verdicts", "entry": "entries", "track": "tracks", "skipped": "tracks",
    "copy": "tracks", "chance": "chances", "chance-track": "chances", "story": "stories",
    "totals": "totals"}
_SCALARS = {
    "string": pa.string(), "int": pa.int32(), "bigint": pa.int64(), "double": pa.float64(),
    "boolean": pa.bool_(), "date": pa.date32(), "timestamp": pa.timestamp("us", tz="UTC")}


def arrow_type(name: str) -> pa.DataType:
    """The Arrow type of a type by Spark's name."""
    if name in _SCALARS:
        return _SCALARS[name]
    outer, inner = name[:-1].split("<", 1)
    if outer == "array":
        return pa.list_(arrow_type(inner))
    key, value = inner.split(",", 1)
    return pa.map_(arrow_type(key), arrow_type(value))


def arrow_schema(table: str) -> pa.Schema:
    """The Arrow schema of a table."""
    return pa.schema([(name, arrow_type(kind)) for name, kind, _ in TABLES[table]])


def ddl(table: str) -> str:
    """The columns of a table as Spark's DDL."""
    return ", ".join(f"`{name}` {kind}" for name, kind, _ in TABLES[table])
