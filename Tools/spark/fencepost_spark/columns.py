"""Which columns of a table are what: those that the user names, or those with the usual names."""

USUAL = ("track", "time", "lat", "lon", "geometry")
OTHERS = ("person", "order")


class Fault(Exception):
    """Why a table cannot be analysed, in words for the user."""


def add_options(parser, person_help):
    """Adds the options that name columns."""
    for name in USUAL:
        parser.add_argument(f"--{name}", metavar="COLUMN", help=f"the column (default {name})")
    parser.add_argument("--person", metavar="COLUMN", help=person_help)
    parser.add_argument("--order", metavar="COLUMN",
                        help="a column that orders the fixes of a track; otherwise their times do")


def named(arguments):
    """The columns that the user named."""
    return {name: getattr(arguments, name) for name in (*USUAL, *OTHERS) if getattr(arguments, name)}


def wanted(names):
    """The columns to look for, by names of our own."""
    return dict(zip(USUAL, USUAL)) | names


def choose(names, present):
    """The columns to read, by names of our own; a fault if the table lacks what is named or needed."""
    searched = wanted(names)
    chosen = {name: column for name, column in searched.items() if column in present}
    listed = ", ".join(present)
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


def check_filled(rows, empty):
    """Refuses rows without a track or person: how many rows there are, and how many lack which column."""
    for column, count in empty.items():
        if count:
            verb = "has" if count == 1 else "have"
            raise Fault(f"{count:,} of {rows:,} rows {verb} no {column}; leave them out or give them one")
