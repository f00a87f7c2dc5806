"""The benchmark's page in the guides, written from the results."""

# The parts in their order on the page, with the titles of their sections. The words between a title
# and its table are written on the page itself.
TITLES = {
    "latency": "From a fix to its alert",
    "rivals": "Enters along the path, and reading files", "imports": "Importing places",
    "analysis": "Analyses", "phones": "Simulated phones", "studio": "The studio", "start": "The start"}
END = "## Measured on\n\n"
MEASURED_ON = """\
The load is the average of the minute before a part began, in which the part before it ran. Above 2,
others were at work too, and wall-clock times are too long.

"""
COMMANDS = """
## Commands

All of it, in .build/benchmark:

```sh
Tools/benchmark --publish
```

What that ran:

```
%s
```
"""


def seconds(value):
    if value < 0.1:
        return f"{1000 * value:.1f} ms"
    return f"{value:.2f} s" if value < 10 else f"{value:.0f} s"


def verdict(record):
    """What stands in place of a time, or nothing: of Fencepost and of bounds, and where results are equal."""
    is_own = record["program"].startswith("Fencepost") and record.get("equal") is None
    if "why" in record or record.get("equal") or record.get("bound") or is_own:
        return record.get("why", "")
    return f"differs: {record['differs']:,}" if record.get("differs") else "results not compared"


def row(record, case):
    found = "" if record.get("results") is None else f"{record['results']:,}"
    found += ", equal" if found and record.get("equal") else ""
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
    rows = [row(record, "" if number else case) for case in cases
            for number, record in enumerate(record for record in records if record["case"] == case)]
    columns = ["Work", "Program", rate, "CPU", "Memory", "Results", "Median", "95th percentile",
               "99th percentile"]
    kept = [index for index in range(len(columns)) if any(cells[index] for cells in rows)]
    marks = [":--" if columns[index] in ("Work", "Program", "Results") else "--:" for index in kept]
    lines = [[columns[index] for index in kept], marks, *([cells[index] for index in kept] for cells in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + "\n"


def machines(parts):
    """What each part was measured on, those with one machine together."""
    groups = {}
    for name in TITLES:
        for record in parts.get(name, [])[:1]:
            one = record["machine"]
            words = (f"{one['cpu']}, {one['cores']} cores, {one['memoryGigabytes']} GB; "
                     f"{one['system']}, Linux {one['kernel']}, Swift {one['swift']}; "
                     f"{record['date']}" + ("; **quick run on small data**" if record["quick"] else ""))
            groups.setdefault(words, []).append(f"{name} (load {one['load']})")
    return "".join(f"* {words}: {', '.join(names)}.\n" for words, names in groups.items())


def write(target, parts):
    """Renews the tables of the page and what stands behind them; `parts` is name to records."""
    text = target.read_text(encoding="utf-8")
    text = text[:text.index(END)]
    for name, title in TITLES.items():
        rate = "Places/s" if name == "imports" else "Fixes/s"
        found = table(parts[name], rate) if name in parts else "| not measured |\n\n"
        start = text.index("|", text.index(f"## {title}\n"))
        end = text.index("\n\n", start) + 2
        text = text[:start] + found + text[end:]
    commands = dict.fromkeys(record["command"] for name in TITLES for record in parts.get(name, [])
                             if record.get("command"))
    target.write_text(text + END + MEASURED_ON + machines(parts) + COMMANDS % "\n".join(commands),
                      encoding="utf-8")
