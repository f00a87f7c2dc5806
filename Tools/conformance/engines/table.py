"""The page of results."""

import collections
import math

KINDS = ["pass", "near", "fail", "unsupported", "error"]
HEAD = """# Results of the conformance suite

<!-- Written by Tools/conformance/run --table. -->

Each engine was held to the groups that it claims, in the setting that its users would choose; what it cannot be set to is not counted against it.
A cell reads *pass + near of cases*. **pass**: the right events, in order, and where and when they are within the case's tolerance (a decimeter on
segments of up to 10 km, a meter up to 1,000 km, else ten). **near**: the right events in the right order, farther off. **fail**: an event too many,
too few or in the wrong order. [ENGINES.md](ENGINES.md) says what lies behind the figures and what it costs a user.

"""


def group_of(case):
    return case["case"].rsplit("/", 1)[0]


def counted(results):
    counts = collections.Counter(verdict.kind for _, verdict in results)
    return ", ".join("%d %s" % (counts[kind], kind) for kind in KINDS if counts[kind])


def summary(found):
    kinds = ["pass", "near", "fail", "error", "unsupported"]
    rows = ["| engine | version | cases | %s |" % " | ".join(kinds), "|:--|:--|--:|--:|--:|--:|--:|--:|"]
    for engine, version, results in found:
        if version is None:
            rows.append("| %s | skipped: %s | | | | | | |" % (engine.TITLE, getattr(engine, "MISSING", "not installed")))
            continue
        counts = collections.Counter(verdict.kind for _, verdict in results)
        row = [engine.TITLE, version, len(results), *(counts[kind] for kind in kinds)]
        rows.append("| %s |" % " | ".join(map(str, row)))
    return "\n".join(rows) + "\n"


def by_group(found):
    here = [(engine, results) for engine, version, results in found if version is not None]
    groups = dict.fromkeys(group_of(case) for _, results in here for case, _ in results)
    rows = ["| group | " + " | ".join(engine.TITLE for engine, _ in here) + " |", "|:--|" + "--:|" * len(here)]
    for group in groups:
        cells = []
        for _, results in here:
            mine = [verdict.kind for case, verdict in results if group_of(case) == group and verdict.kind != "unsupported"]
            near = " + %d" % mine.count("near") if "near" in mine else ""
            cells.append("%d%s of %d" % (mine.count("pass"), near, len(mine)) if mine else "")
        rows.append("| `%s` | %s |" % (group, " | ".join(cells)))
    return "\n".join(rows) + "\n"


def near_by_group(results):
    worst = {}
    for case, verdict in results:
        if verdict.kind == "near":
            count, meters = worst.get(group_of(case), (0, 0.0))
            worst[group_of(case)] = (count + 1, max(meters, verdict.meters))
    return "; ".join("`%s` %d, at most %s" % (group, count, length(meters)) for group, (count, meters) in worst.items())


def length(meters):
    if math.isinf(meters):
        return "unknown"
    return "%.3g m" % meters if meters < 1000 else "%s km" % format(round(meters / 1000), ",")


def section(engine, version, results):
    lines = ["## %s" % engine.TITLE, "", "Version %s. %s." % (version, counted(results)), "", "    %s" % engine.COMMAND, ""]
    if near := near_by_group(results):
        lines += ["Near: %s." % near, ""]
    wrong = [(case, verdict) for case, verdict in results if verdict.kind in ("fail", "error")]
    if wrong:
        lines += ["| failed case | |", "|:--|:--|"]
        lines += ["| `%s` | %s%s |" % (case["case"], "error: " if verdict.kind == "error" else "", verdict.why.replace("|", "\\|"))
                  for case, verdict in wrong] + [""]
    others = [(case, verdict) for case, verdict in results if verdict.kind == "pass" and verdict.why]
    if others:
        lines += ["Other answers that the suite accepts: %s." % "; ".join(
            "`%s` (%s)" % (case["case"], verdict.why.removeprefix("another answer: ")) for case, verdict in others), ""]
    unsupported = collections.Counter(verdict.why for _, verdict in results if verdict.kind == "unsupported")
    if unsupported:
        lines += ["Not counted: %s." % "; ".join("%d cases (%s)" % (count, why) for why, count in unsupported.items()), ""]
    return "\n".join(lines)


def text(found):
    parts = [HEAD + summary(found) + "\n" + by_group(found)]
    parts += [section(*one) for one in found if one[1] is not None]
    return "\n".join(parts).rstrip() + "\n"
