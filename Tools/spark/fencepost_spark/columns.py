"""Which columns of a table are what: those that the user names, or those with the usual names."""

USUAL = ("track", "time", "lat", "lon", "geometry")
OTHERS = ("person", "order")
# What a fix may have besides, by the names that fencepost knows in CSV; case and punctuation do not count. A speed
# needs its unit in the name: other columns may have km/h or knots.
MEASURES = {
    "accuracy": ("accuracy", "acc", "horizontalaccuracy", "accuracyhorizontal", "hacc", "haccuracy",
                 "accuracymeters", "accuracym"),
    "speed": ("speedmps", "speedms", "speedmeterspersecond", "speedmetersecond", "velocitymps", "velocityms"),
    "course": ("course", "heading", "bearing", "coursedegrees", "headingdegrees", "bearingdegrees", "coursedeg",
               "headingdeg", "bearingdeg"),
}
MEASURE_HELP = {"accuracy": "horizontal accuracy in meters", "speed": "speed in meters per second",
                "course": "course in degrees"}
# Most fixes of a track, which is held in memory as a whole: about 100 MB for each million.
MOST_TRACK_FIXES = 10_000_000


class Fault(Exception):
    """Why a table cannot be analyzed, in words for the user."""


def add_options(parser, person_help):
    """Adds the options that name columns."""
    for name in USUAL:
        parser.add_argument(f"--{name}", metavar="COLUMN", help=f"the column (default {name})")
    parser.add_argument("--person", metavar="COLUMN", help=person_help)
    parser.add_argument("--order", metavar="COLUMN",
                        help="a column that orders the fixes of a track; otherwise their times do")
    for name, meaning in MEASURE_HELP.items():
        parser.add_argument(f"--{name}", metavar="COLUMN",
                            help=f"the column of the {meaning}; otherwise found by its name, as in CSV")
    parser.add_argument("--track-fixes", type=int, default=MOST_TRACK_FIXES, metavar="N",
                        help=f"skip tracks with more fixes, for want of memory (default {MOST_TRACK_FIXES:,})")


def named(arguments):
    """The columns that the user named."""
    return {name: getattr(arguments, name) for name in (*USUAL, *OTHERS, *MEASURES) if getattr(arguments, name)}


def wanted(names):
    """The columns to look for, by names of our own."""
    return dict(zip(USUAL, USUAL)) | names


def choose(names, present, lists=()):
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
        raise Fault(f"has neither {searched['lat']} and {searched['lon']} nor {searched['geometry']}, but {listed}")
    if "time" not in chosen and "person" in chosen:
        raise Fault(f"has no column time, but {listed}; --time names it: a person's tracks go by their times")
    if "time" not in chosen and "order" not in chosen:
        raise Fault(f"has no column time, but {listed}; --time names it, "
                    "or --order says the order where there are no times")
    return chosen


def _measured(present):
    """The columns of accuracy, speed and course, by their names."""
    plain = {}
    for column in present:
        plain.setdefault("".join(sign for sign in column.lower() if sign.isalnum()), column)
    found = {measure: next((plain[name] for name in names if name in plain), None)
             for measure, names in MEASURES.items()}
    return {measure: column for measure, column in found.items() if column}


def notices(chosen, present):
    """What the user should know about the columns, as sentences."""
    if "speed" in present and "speed" not in chosen:
        return ["The column speed was left out, because its name states no unit. "
                "If it has meters per second: --speed speed"]
    return []


def timed(rows, untimed, column, is_ordered):
    """Decides about rows without a time: whether the column counts, and what to say if some rows lack one."""
    if rows == untimed:
        if not is_ordered:
            raise Fault(f"has no time in {column}; --order says the order where there are no times")
        return False, None
    if not untimed:
        return True, None
    verb = "has" if untimed == 1 else "have"
    return True, f"{untimed:,} of {rows:,} rows {verb} no {column}; left out."


def check_filled(rows, empty):
    """Refuses rows without a track or person: how many rows there are, and how many lack which column."""
    for column, count in empty.items():
        if count:
            verb = "has" if count == 1 else "have"
            raise Fault(f"{count:,} of {rows:,} rows {verb} no {column}; leave them out or give them one")
