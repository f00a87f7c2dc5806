"""The benchmark's page in the guides, written from the results."""

HEAD = """\
# The benchmark

Rates, latencies and memory for stated data, with the commands that measured them.

<!-- Written by Tools/benchmark --publish. -->

## Overview

`Tools/benchmark --publish` makes the data, which is the same everywhere, runs every program on it, and writes this page. A program whose
results differ from Fencepost's gets no time: the cell says by how many results it differs. CPU is user
and system time of the whole process, its start and the reading of the places included; rates are fixes a second of wall-clock time; memory is the peak.
[How fast it is](HowFast.md) says what the figures mean for a user, and [the conformance suite](../../../Data/conformance/RESULTS.md) who is right where
programs differ.

"""
STREAM = """\
## A stream of vehicles

The queries Q4 and Q7 of [BerlinMOD's streaming benchmark](https://github.com/MobilityDB/MobilityDB-BerlinMOD), in their continuous form: *which vehicles
entered a region, and when*, and *when did each vehicle first come near each point of interest*. Its rules are followed: a vehicle is inside or not at each
of its fixes, a first fix inside counts as an entry, every fix is answered as it comes. The region is a circle of 1 km in place of a rectangle, since circles are
what Fencepost watches; the points have radii of 50 m to 10 km. The stream has {vehicles} vehicles, as that benchmark has, with a fix a second in the order of
time, {count} in all; it is made by `Tools/benchmark`, because that benchmark's data are a download. There, Flink with MEOS took 25,186 events
a second for Q4 and 15,984 for Q7 on another machine with other data, so only the order of magnitude compares.

Fencepost, and MEOS as it is called here, read fix by fix; the others see the whole stream at once, which is less work for the same answer.

"""
INTRODUCTIONS = {
    "latency": """\
## From a fix to its alert

A live session on one core reads what 100 devices send in real time among the 219 sample stories. The latency is the time from writing a line to its
standard input to reading the alert from its standard output. Results are alerts.

""",
    "rivals": """\
## Enters along the path, and reading files

A drive of 1,000,000 fixes among 100,000 places, every place watched, sides judged along the path between fixes: which segment enters which circle. Then the same
drive's positions, read from NMEA and GPX, and the nearest twenty places of 2,000 of its fixes. gpsd takes midnight, when the drive
begins, for no time, and GPSBabel drops the last epoch of NMEA; the first and the last fix are left out of that comparison.

""",
    "imports": """\
## Importing places

From CSV to a store that answers queries. The results are equal if as many places with the same sums of coordinates came in. Fencepost's store has a
SpatiaLite index, and a tree of circles besides; plain inserts by `sqlite3` have neither. DuckDB sorts by place and indexes identifiers and
coordinates.

""",
    "analysis": """\
## Analyses

Every track with the phone's limit and without, verdicts and recall, on one core. No other program known to us does this work.

""",
    "phones": """\
## Simulated phones

How likely each alert is on a phone: each trip is travelled so many times, on one core.

""",
    "studio": """\
## The studio

From a movement of a dragged story to the result on the page, in Chromium, measured by `Tools/load studio`. Results are drags.

""",
    "start": """\
## The start

The mean of 50 processes.

""",
}
ORDER = ("stream", "latency", "rivals", "imports", "analysis", "phones", "studio", "start")


def seconds(value):
    if value < 0.1:
        return f"{1000 * value:.1f} ms"
    return f"{value:.2f} s" if value < 10 else f"{value:.0f} s"


def timed(record):
    """Whether a program's time may be shown: it is Fencepost's or a bound, or its results are equal."""
    return record.get("equal") is True or record.get("bound") or record["program"].startswith("Fencepost") and record.get("equal") is None


def verdict(record):
    """What stands in place of a time, or nothing."""
    if "why" in record:
        return record["why"]
    if timed(record):
        return ""
    return f"differs: {record['differs']:,}" if record.get("differs") else "results not compared"


def row(record, case):
    """The cells of a record, as COLUMNS names them."""
    found = ""
    if record.get("results") is not None:
        found = f"{record['results']:,}" + (", equal" if record.get("equal") else "")
    if refused := verdict(record):
        return [case, record["program"], refused, "", "", found, "", "", ""]
    rate, spread = "", record.get("latencyMilliseconds", {})
    if record.get("wallSeconds") and record.get("count", 1) > 1:
        rate = f"{record['count'] / record['wallSeconds']:,.0f}"
    return [case, record["program"], rate,
            seconds(record["cpuSeconds"]) if "cpuSeconds" in record and not spread else "",
            f"{record['megabytes']:.0f} MB" if record.get("megabytes") else "", found,
            *(f"{spread[name]:.1f} ms" if name in spread else "" for name in ("median", "95", "99"))]


def table(records, rate):
    """One table with a block of rows a case, without the columns in which nobody has anything."""
    cases = list(dict.fromkeys(record["case"] for record in records))
    rows, before = [], None
    for record in sorted(records, key=lambda record: cases.index(record["case"])):
        rows.append(row(record, record["case"] if record["case"] != before else ""))
        before = record["case"]
    columns = ["Work", "Program", rate, "CPU", "Memory", "Results", "Median", "95th percentile",
               "99th percentile"]
    kept = [index for index in range(len(columns)) if any(cells[index] for cells in rows)]
    marks = [":--" if columns[index] in ("Work", "Program", "Results") else "--:" for index in kept]
    lines = [[columns[index] for index in kept], marks,
             *([cells[index] for index in kept] for cells in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + "\n"


def machines(parts):
    """What each part was measured on, those with one machine together."""
    groups = {}
    for name in ORDER:
        for record in parts.get(name, [])[:1]:
            one = record["machine"]
            words = (f"{one['cpu']}, {one['cores']} cores, {one['memoryGigabytes']} GB; {one['system']}, Linux {one['kernel']}, "
                     f"Swift {one['swift']}; {record['date']}" + ("; **quick run on small data**" if record["quick"] else ""))
            groups.setdefault(words, []).append(f"{name} (load {one['load']})")
    text = "".join(f"* {words}: {', '.join(names)}.\n" for words, names in groups.items())
    return ("## Measured on\n\nThe load is that of the machine when the part began: above 0.5, others were at work and wall-clock times are too long.\n\n"
            + text + "\n")


def commands(parts):
    lines = dict.fromkeys(record["command"] for name in ORDER for record in parts.get(name, []) if record.get("command"))
    return ("## Commands\n\nAll of it, in .build/benchmark:\n\n```sh\nTools/benchmark --publish\n```\n\nWhat that ran:\n\n```\n"
            + "\n".join(lines) + "\n```\n")


def write(target, parts):
    """Writes the page; `parts` is name to records."""
    text = HEAD
    for name in ORDER:
        found = parts.get(name)
        if not found:
            continue
        if name == "stream":
            count = next(record["count"] for record in found if "count" in record)
            text += STREAM.format(vehicles=141, count=f"{count:,}")
        else:
            text += INTRODUCTIONS[name]
        text += table(found, "Places/s" if name == "imports" else "Fixes/s")
    text += machines(parts) + commands(parts)
    target.write_text(text, encoding="utf-8")
