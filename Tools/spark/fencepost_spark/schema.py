"""The columns of the tables that an analysis becomes, each with its type and its place in a line of NDJSON.

Types have Spark's names, from which Arrow's follow. Times are instants in UTC.
"""
import pyarrow as pa

COUNTS = [
    ("entries", "int", "entries"),
    ("found", "int", "found"),
    ("late", "int", "late"),
    ("missed", "int", "missed"),
    ("extra", "int", "extra"),
    ("alerts", "int", "alerts"),
    ("delayed", "int", "delayed"),
    ("suppressed", "map<string,int>", "suppressed"),
    ("oracle_alerts", "int", "oracleAlerts"),
    ("found_alerts", "int", "foundAlerts"),
]

RANKS = [
    ("refresh_rank", "int", "atRefresh.rank"),
    ("refresh_distance_meters", "double", "atRefresh.distance"),
    ("refresh_last_distance_meters", "double", "atRefresh.lastDistance"),
    ("entry_rank", "int", "atEntry.rank"),
    ("entry_distance_meters", "double", "atEntry.distance"),
    ("entry_last_distance_meters", "double", "atEntry.lastDistance"),
]

FOUND = [("found_fix", "int", "foundFix"), ("found_time", "timestamp", "foundTime")]

# The day of the track's first fix, so that a track's rows share a partition.
TRACK_DAY = [("track", "string", "track"), ("date", "date", "date")]

VERDICT = TRACK_DAY + [
    ("place", "string", "place"),
    ("verdict", "string", "verdict"),
    ("nearest_meters", "double", "nearest"),
    ("inside_at_start", "boolean", "inside"),
    ("reason", "string", "reason"),
] + COUNTS + FOUND + RANKS

ENTRY = TRACK_DAY + [
    ("place", "string", "place"),
    ("fix", "int", "fix"),
    ("fraction", "double", "fraction"),
    ("time", "timestamp", "time"),
    ("lat", "double", "lat"),
    ("lon", "double", "lon"),
    ("across", "string", "across"),
    ("cause", "string", "cause"),
    ("alert", "boolean", "alert"),
    ("delivery", "timestamp", "delivery"),
    ("reason", "string", "reason"),
    ("oracle_alert", "boolean", "oracleAlert"),
] + FOUND + RANKS

TRACK = TRACK_DAY + [
    ("status", "string", "type"),
    ("error", "string", "error"),
    ("copy_of", "string", "of"),
    ("person", "string", "person"),
    ("fixes", "int", "fixes"),
    ("rejected", "int", "rejected"),
    ("rejected_by_reason", "map<string,int>", "rejectedByReason"),
    ("first", "timestamp", "first"),
    ("last", "timestamp", "last"),
    ("length_millimeters", "bigint", "lengthMillimeters"),
    ("travel_milliseconds", "bigint", "travelMilliseconds"),
    ("refreshes", "int", "refreshes"),
    ("failed_refreshes", "int", "failedRefreshes"),
] + COUNTS + [
    ("stories", "map<string,int>", "stories"),
    ("oracle_stories", "int", "oracleStories"),
    ("found_stories", "int", "foundStories"),
    ("most_circles", "int", "mostCircles"),
    ("certified", "boolean", "certified"),
    ("alerts_by_hour", "array<int>", "alertsByHour"),
    ("alerts_by_day", "map<string,int>", "days"),
    ("moments", "array<array<string>>", "moments"),
]

CHANCE = TRACK_DAY + [
    ("type", "string", "type"),
    ("profile", "string", "profile"),
    ("place", "string", "place"),
    ("trials", "bigint", "trials"),
    ("alerts", "bigint", "alerts"),
    ("probability", "double", "probability"),
    ("line", "string", "line"),
]

STORY = [
    ("place", "string", "place"),
    ("title", "string", "title"),
    ("category", "string", "category"),
    ("lat", "double", "lat"),
    ("lon", "double", "lon"),
    ("radius_meters", "double", "radius"),
    ("tracks", "map<string,bigint>", "tracks"),
] + [(name, kind.replace("int", "bigint"), path) for name, kind, path in COUNTS] + [
    ("oracle_tracks", "bigint", "oracleTracks"),
    ("nearest_millimeters", "bigint", "nearestMillimeters"),
    ("nearest_track", "string", "nearestTrack"),
    ("moments", "bigint", "moments"),
    ("persons", "bigint", "persons"),
    ("person_days", "bigint", "personDays"),
    ("repeats", "bigint", "repeats"),
]

TOTALS = [
    ("tracks", "bigint", "tracks"),
    ("skipped", "bigint", "skipped"),
    ("copies", "bigint", "copies"),
    ("fixes", "bigint", "fixes"),
    ("rejected", "bigint", "rejected"),
    ("rejected_by_reason", "map<string,bigint>", "rejectedByReason"),
    ("length_millimeters", "bigint", "lengthMillimeters"),
    ("travel_milliseconds", "bigint", "travelMilliseconds"),
    ("refreshes", "bigint", "refreshes"),
    ("failed_refreshes", "bigint", "failedRefreshes"),
] + [(name, kind.replace("int", "bigint"), path) for name, kind, path in COUNTS] + [
    ("verdicts", "map<string,bigint>", "verdicts"),
    ("recall", "double", "recall"),
    ("recall_interval", "array<double>", "recallInterval"),
    ("entry_recall", "double", "entryRecall"),
    ("entry_recall_interval", "array<double>", "entryRecallInterval"),
    ("story_recall", "double", "storyRecall"),
    ("story_recall_interval", "array<double>", "storyRecallInterval"),
    ("stories", "bigint", "stories"),
    ("silent_stories", "bigint", "silentStories"),
    ("alerts_per_track", "double", "alertsPerTrack"),
    ("alerts_per_hour", "double", "alertsPerHour"),
    ("refreshes_per_kilometer", "double", "refreshesPerKilometer"),
    ("spots", "bigint", "spots"),
    ("most_circles", "bigint", "mostCircles"),
    ("certified_tracks", "bigint", "certifiedTracks"),
    ("uncertified_tracks", "bigint", "uncertifiedTracks"),
    ("alerts_by_hour", "array<bigint>", "alertsByHour"),
    ("persons", "bigint", "persons"),
    ("lone_tracks", "bigint", "loneTracks"),
    ("person_days", "bigint", "personDays"),
    ("alerts_per_person_day_median", "bigint", "alertsPerPersonDay.median"),
    ("alerts_per_person_day_p90", "bigint", "alertsPerPersonDay.p90"),
    ("alerts_per_person_day_most", "bigint", "alertsPerPersonDay.most"),
    ("fatigue", "bigint", "fatigue"),
    ("person_days_over_fatigue", "bigint", "personDaysOverFatigue"),
]

# The tables by name; those of tracks come first.
TRACK_TABLES = {"verdicts": VERDICT, "entries": ENTRY, "tracks": TRACK, "chances": CHANCE}
TOTAL_TABLES = {"stories": STORY, "totals": TOTALS}
TABLES = TRACK_TABLES | TOTAL_TABLES

# The table of each type of line; the others are only in the NDJSON.
TABLE_OF_TYPE = {
    "verdict": "verdicts", "entry": "entries", "track": "tracks", "skipped": "tracks", "copy": "tracks",
    "chance": "chances", "chance-track": "chances", "story": "stories", "totals": "totals",
}

_SCALARS = {
    "string": pa.string(), "int": pa.int32(), "bigint": pa.int64(), "double": pa.float64(),
    "boolean": pa.bool_(), "date": pa.date32(), "timestamp": pa.timestamp("us", tz="UTC"),
}


def arrow_type(name):
    """The Arrow type of a type by Spark's name."""
    if name in _SCALARS:
        return _SCALARS[name]
    outer, inner = name[:-1].split("<", 1)
    if outer == "array":
        return pa.list_(arrow_type(inner))
    key, value = inner.split(",", 1)
    return pa.map_(arrow_type(key), arrow_type(value))


def arrow_schema(table):
    """The Arrow schema of a table."""
    return pa.schema([(name, arrow_type(kind)) for name, kind, _ in TABLES[table]])


def ddl(table):
    """The columns of a table as Spark's DDL."""
    return ", ".join(f"`{name}` {kind}" for name, kind, _ in TABLES[table])
