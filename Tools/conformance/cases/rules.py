"""Rules that engines choose: breaks, the first fix, ties, wrong times, accuracy, holds, dwells, margins."""

import random

from making import MINUTE, SITES, START, Pass, fix, fixes_of, follow, go, oracle, options_of, place, places_of, timed, written

SECOND = 1000


def breaks(suite):
    """Where a path is not followed: `maxGapSeconds`, `maxSpeedMetersPerSecond`, segments of the source."""
    for site, azimuth in (("philadelphia", 90), ("sydney", 10), ("tromso", 230)):
        centre = SITES[site]
        line = Pass(centre, azimuth, 0)
        circle = [place("a", centre, 100)]
        gap = {"maxGapSeconds": 600}
        for name, later, expect in (("exactly-at-the-bound", 600 * SECOND, "enter a 1, exit a 1"),
                                    ("a-millisecond-more", 600 * SECOND + 1, "")):
            suite.add(f"may/breaks/gap-{name}-{site}",
                      f"The fixes are {later / 1000:.3f} s apart, and a path breaks at more than 600 s. The circle lies between them.",
                      circle, [fix(line.at(-300), START), fix(line.at(300), START + later)], expect, gap)
        suite.add(f"may/breaks/enter-across-{site}", "Outside before the gap, inside behind it: an enter at the first fix behind it.",
                  circle, [fix(line.at(-300), START), fix(line.at(0), START + 700 * SECOND), fix(line.at(300), START + 760 * SECOND)],
                  "enter a 1, exit a 2", gap)
        suite.add(f"may/breaks/exit-across-{site}", "Inside before the gap, outside behind it: an exit at the first fix behind it.",
                  circle, [fix(line.at(-300), START), fix(line.at(0), START + 60 * SECOND), fix(line.at(300), START + 760 * SECOND)],
                  "enter a 1, exit a 2", gap)
        speed = {"maxSpeedMetersPerSecond": 50}
        for name, length, expect in (("a-metre-below", 2999, "enter a 1, exit a 1"), ("a-metre-above", 3001, "")):
            suite.add(f"may/breaks/speed-{name}-{site}",
                      f"The fixes are {length} m and a minute apart, and a path breaks at more than 50 m/s. The circle lies between them.",
                      circle, timed([line.at(-1000), line.at(length - 1000)]), expect, speed)
        suite.add(f"may/breaks/segments-{site}", "A new segment of the source begins with the second fix: nothing lies between.",
                  circle, [fix(line.at(-300), START, segment=0), fix(line.at(300), START + MINUTE, segment=1)], "")
        suite.add(f"may/breaks/segments-enter-{site}", "A new segment of the source begins inside: an enter at its first fix.",
                  circle, [fix(line.at(-300), START, segment=0), fix(line.at(0), START + MINUTE, segment=1),
                           fix(line.at(300), START + 2 * MINUTE, segment=1)], "enter a 1, exit a 2")
    line = Pass(SITES["quito"], 0, 0)
    circle = [place("a", SITES["quito"], 10)]
    for length, expect in ((40, "enter a 1, exit a 1"), (60, "")):
        suite.add(f"may/breaks/one-time-{length}-m", f"Two fixes with one time are {length} m apart. A step within one second counts as one second.",
                  circle, [fix(line.at(-20), START), fix(line.at(length - 20), START)], expect, {"maxSpeedMetersPerSecond": 50})
    suite.add("may/breaks/no-time", "Where a fix has no time there is neither gap nor speed: the path goes on.",
              [place("a", SITES["quito"], 100)], [fix(line.at(-5000), START), fix(line.at(300), None)], "enter a 1, exit a 1",
              {"maxGapSeconds": 600, "maxSpeedMetersPerSecond": 50})


def first_fix(suite):
    """A first fix inside: silent, or an enter."""
    for site in ("nairobi", "ushuaia"):
        centre = SITES[site]
        line = Pass(centre, 25, 0)
        circle, points = [place("a", centre, 100)], timed([line.at(0), line.at(300), line.at(0)])
        for test in ("path", "fixes"):
            rule = {"test": test, "initial": "enter"}
            suite.add(f"may/first-fix/enter-{test}-{site}", "The first fix is inside, and the rule calls that an enter.",
                      circle, points, "enter a 0, exit a 1, enter a 2", rule)
        silent = {"test": "fixes", "initial": "silent"}
        suite.add(f"may/first-fix/silent-fixes-{site}", "The first fix is inside, and the rule is silent about it: the exit comes first.",
                  circle, points, "exit a 1, enter a 2", silent)


def ties(suite):
    """Events at one point: by the place's id, as the places were given, or against either."""
    names = ["pear", "apple", "Zebra", "plum"]
    for number, (site, radius) in enumerate([("quito", 50), ("sydney", 200), ("tromso", 1000)]):
        centre = SITES[site]
        line = Pass(centre, 30 * number, radius / 4)
        places = [place(name, centre, radius) for name in names]
        for label, points in (("one-segment", [line.at(-3 * radius), line.at(3 * radius)]),
                              ("two-segments", [line.at(-3 * radius), line.at(0), line.at(3 * radius)])):
            case = {"places": places, "fixes": timed(points), "rule": {}}
            by_id = [written(event, {}) for event in follow(places_of(case), fixes_of(case), {}) if event["type"] != "refresh"]
            enters, exits = by_id[:4], by_id[4:]
            given = lambda events: sorted(events, key=lambda event: names.index(event["place"]))
            suite.add(f"may/ties/{label}-{site}", "Four identical circles are met at one point; the order is that of ids, by code points.",
                      places, timed(points), None, order="exact", others=[
                          {"says": "in the order in which the places were given", "events": given(enters) + given(exits)},
                          {"says": "against the order in which the places were given", "events": given(enters)[::-1] + given(exits)[::-1]},
                          {"says": "by id, capitals and small letters alike", "events": [
                              event for part in (enters, exits) for event in sorted(part, key=lambda one: one["place"].lower())]}])


# MARK: Times that lie


def events_of(places, path, rule):
    found = [written(event, rule) for event in follow(places, path, rule) if event["type"] != "refresh"]
    return [{key: value for key, value in event.items() if key not in ("fix", "fraction")} for event in found]


def add_wrong(suite, name, says, places, fixes, rule, path=None):
    """A case whose fixes contradict each other: the documented rule's answer, and those of other reasonable rules. Events have no
    `fix`, because engines number the fixes that they keep."""
    case = {"places": places, "fixes": fixes}
    all_fixes = fixes_of(case)
    kept = list(oracle.accepted(all_fixes, options_of(rule), {})) if path is None else path(all_fixes)
    newest, forwards = None, []
    for one in all_fixes:
        if one.time is None or newest is None or one.time >= newest:
            forwards.append(one)
            newest = one.time if one.time is not None else newest
    answer, others = events_of(places_of(case), kept, rule), []
    for sentence, other in (("every fix older than the newest before it is dropped", forwards),
                            ("the fixes are sorted by their times", sorted(all_fixes, key=lambda one: one.time or 0)),
                            ("the fixes are taken as they come", all_fixes)):
        events = events_of(places_of(case), other, rule)
        if events != answer and all(events != one["events"] for one in others):
            others.append({"says": sentence, "events": events})
    suite.add(name, says, places, fixes, None, rule, events=answer, **({"others": others} if others else {}))


def wrong_times(suite):
    """Clocks that run ahead, start wrong or go back. The rule is that of `maxGapSeconds` and `maxSpeedMetersPerSecond`."""
    centre = SITES["philadelphia"]
    line = Pass(centre, 40, 0)
    circles = [place(f"p{number}", line.at(800 * number), 150) for number in range(4)]
    rule = {"maxGapSeconds": 600, "maxSpeedMetersPerSecond": 340}

    def walk(moments, positions=None):
        return [fix(line.at(position), moment) for moment, position in
                zip(moments, positions or [-600 + 150 * number for number in range(len(moments))])]

    usual = [START + number * 30 * SECOND for number in range(24)]

    def with_times(changes):
        return walk([changes.get(number, moment) for number, moment in enumerate(usual)])

    year = 365 * 24 * 60 * MINUTE
    add_wrong(suite, "may/wrong-times/one-late", "One fix of a minute ago comes between two others: it is refused, and its position with it.",
              circles, with_times({6: usual[4] + SECOND}), rule)
    add_wrong(suite, "may/wrong-times/one-ahead", "One fix has a time ten years ahead. It costs itself, and not the right ones behind it.",
              circles, with_times({7: usual[7] + 10 * year}), rule)
    add_wrong(suite, "may/wrong-times/a-dozen-ahead", "Twelve fixes in a row have times ten years ahead.", circles,
              with_times({number: usual[number] + 10 * year for number in range(5, 17)}), rule)
    add_wrong(suite, "may/wrong-times/first-ahead", "The first fix has a time ten years ahead.", circles,
              with_times({0: usual[0] + 10 * year}), rule)
    add_wrong(suite, "may/wrong-times/first-behind", "The first fix has a time of 1024 weeks ago, as after a rollover of the week number.",
              circles, with_times({0: usual[0] - 1024 * 7 * 24 * 60 * MINUTE}), rule)
    add_wrong(suite, "may/wrong-times/three-behind", "Three fixes of the middle have times of 1024 weeks ago.", circles,
              with_times({number: usual[number] - 1024 * 7 * 24 * 60 * MINUTE for number in (8, 9, 10)}), rule)
    add_wrong(suite, "may/wrong-times/back-by-a-millisecond", "A fix is a millisecond older than the one before it.", circles,
              with_times({8: usual[7] - 1}), rule)
    add_wrong(suite, "may/wrong-times/newest-first", "The whole track has its newest fix first, as some exports have.", circles,
              with_times({})[::-1], rule)
    repeated = with_times({})
    add_wrong(suite, "may/wrong-times/repeated", "Every fix comes twice, with the same time and position.", circles,
              [one for one in repeated for _ in range(2)], rule)
    add_wrong(suite, "may/wrong-times/without-time-between", "Every fourth fix has no time: it is a position of the path all the same.",
              circles, with_times({number: None for number in range(3, 24, 4)}), rule)
    add_wrong(suite, "may/wrong-times/buffer-sent-late", "Three fixes were kept back in a buffer and come behind two newer ones.", circles,
              repeated[:6] + repeated[9:11] + repeated[6:9] + repeated[11:], rule)
    add_wrong(suite, "may/wrong-times/clock-set-back-for-good", "After eight fixes the clock is set back by a day, and stays so.", circles,
              with_times({number: usual[number] - 24 * 60 * MINUTE for number in range(8, 24)}), rule)


def shuffled(suite):
    """`reorderSeconds`: fixes are sorted by time as far as they are late by no more than that."""
    centre = SITES["nairobi"]
    for seed in range(8):
        dice = random.Random(f"conformance shuffle {seed}")
        line = Pass(centre, 45 * seed, 20)
        points = [line.at(-700 + 140 * number) for number in range(12)]
        fixes = timed(points, step=20 * SECOND)
        order = sorted(range(12), key=lambda number: number * 20 + dice.uniform(0, 90))
        add_wrong(suite, f"may/shuffled/{seed:02}",
                  f"Fixes come up to 90 s late (seed {seed}); with a window of two minutes they are followed in the order of their times.",
                  [place("a", centre, 120), place("b", line.at(500), 90)], [fixes[number] for number in order],
                  {"reorderSeconds": 120}, path=lambda all_fixes: sorted(all_fixes, key=lambda one: one.time))


# MARK: Accuracy


def inexact(suite):
    """`accuracy` with `test: fixes`: a fix is a circle about its position."""
    table = [
        ("contains", 10, [(300, 10), (95, 10), (90.5, 10), (89.5, 10), (105, 10), (109.5, 10), (110.5, 10)], "enter a 3, exit a 6",
         "inside once the accuracy circle lies wholly in the place, until it lies wholly outside"),
        ("intersects", 10, [(300, 10), (110.5, 10), (109.5, 10), (105, 10), (95, 10), (109.5, 10), (110.5, 10)], "enter a 2, exit a 6",
         "inside as soon as the accuracy circle touches the place, until it does not"),
        ("contains", 0, [(300, 0), (100.5, 0), (99.5, 0), (100.5, 0)], "enter a 2, exit a 3", "exact fixes are points"),
        ("intersects", 0, [(300, 0), (100.5, 0), (99.5, 0), (100.5, 0)], "enter a 2, exit a 3", "exact fixes are points"),
        ("contains", 150, [(300, 20), (0, 150), (0, 101), (0, 99), (0, 150), (260, 150), (240, 150), (252, 150)], "enter a 3, exit a 5",
         "a fix less exact than the place is large never enters it, and does not leave it while it touches"),
        ("intersects", 150, [(900, 150), (251, 150), (249, 150), (0, 150), (249, 150), (251, 150)], "enter a 2, exit a 5",
         "a fix of 150 m enters from 249 m away"),
        ("contains", 5, [(300, 5), (50, 200), (50, 5), (150, 60), (150, 40)], "enter a 2, exit a 4", "the accuracy changes while the position hardly does"),
        ("intersects", 5, [(300, 5), (150, 60), (150, 40), (150, 60)], "enter a 1, exit a 2, enter a 3",
         "at one position, only the accuracy changes"),
    ]
    for number, (kind, label, positions, expect, sentence) in enumerate(table):
        for site in ("quito", "tromso"):
            centre = SITES[site]
            fixes = [fix(go(centre, 35, distance), START + step * MINUTE, accuracy=accuracy)
                     for step, (distance, accuracy) in enumerate(positions)]
            suite.add(f"may/inexact/{kind}-{label}-m-{site}", f"Accuracy “{kind}”: {sentence}.",
                      [place("a", centre, 100)], fixes, expect, {"test": "fixes", "accuracy": kind})
    centre = SITES["sydney"]
    suite.add("may/inexact/none-stated", "A fix that states no accuracy is exact.", [place("a", centre, 100)],
              timed([go(centre, 0, distance) for distance in (300, 101, 99, 101)]), "enter a 2, exit a 3",
              {"test": "fixes", "accuracy": "contains"})
    suite.add("may/inexact/ignored", "Accuracy “ignore”: only the position counts.", [place("a", centre, 100)],
              [fix(go(centre, 0, distance), START + step * MINUTE, accuracy=80) for step, distance in enumerate((300, 101, 99, 101))],
              "enter a 2, exit a 3", {"test": "fixes", "accuracy": "ignore"})


# MARK: Confirmation


def hold(suite):
    """`holdSeconds` and `confirmFixes`: a crossing counts once the path stayed on the new side."""
    centre = SITES["philadelphia"]
    circle = [place("a", centre, 100)]

    def along(*distances):
        """One fix every ten seconds on a line through the centre, at signed distances from it."""
        line = Pass(centre, 80, 0)
        return timed([line.at(distance) for distance in distances], step=10 * SECOND)

    through = along(-300, -200, -50, 0, 50, 60, 200, 300, 400, 500)
    grazes = along(-300, -200, -90, -200, -300, -90, 0, 20, 30, 40)
    for seconds, expect in ((5, "enter a 3, exit a 6"), (10, "enter a 3, exit a 7"), (30, "enter a 5, exit a 9")):
        suite.add(f"may/hold/{seconds}-s-through", f"A crossing counts after {seconds} s on the new side, also between fixes.",
                  circle, through, expect, {"holdSeconds": seconds})
    suite.add("may/hold/longer-than-the-stay", "The stay is shorter than the hold: neither enter nor exit.", circle, through, "",
              {"holdSeconds": 50})
    suite.add("may/hold/graze-does-not-count", "The path dips in for two seconds, goes back, and later stays.", circle, grazes, "enter a 7",
              {"holdSeconds": 15})
    suite.add("may/hold/ends-too-early", "The track ends before the hold does: no event.", circle, through[:4], "", {"holdSeconds": 30})
    suite.add("may/hold/returns-outside-too-soon", "The exit does not last, so the stay goes on and there is one enter and one exit.",
              circle, along(-300, -200, -50, 0, 90, 105, 50, 0, 50, 200, 300, 400, 500), "enter a 4, exit a 10", {"holdSeconds": 15})
    suite.add("may/hold/across-a-gap", "The hold ends in a gap: the crossing is confirmed at the first fix behind it.", circle,
              [fix(Pass(centre, 80, 0).at(distance), START + moment * SECOND) for distance, moment in
               ((-300, 0), (-50, 10), (0, 800), (20, 810))], "enter a 2", {"holdSeconds": 60, "maxGapSeconds": 600})
    for count, expect in ((1, "enter a 2, exit a 6"), (2, "enter a 3, exit a 7"), (3, "enter a 4, exit a 8"), (4, "enter a 5, exit a 9"), (5, "")):
        suite.add(f"may/hold/{count}-fixes", f"A crossing counts with {count} {'fix' if count == 1 else 'fixes'} on the new side; the fix at which it is found is the first.",
                  circle, through, expect, {"confirmFixes": count})
    suite.add("may/hold/fixes-and-time", "Both must be reached, the hold and the number of fixes.", circle, through, "enter a 4, exit a 8",
              {"holdSeconds": 5, "confirmFixes": 3})
    suite.add("may/hold/at-fixes", "With sides at fixes a hold begins at a fix and ends at the first one late enough.", circle, through,
              "enter a 4, exit a 8", {"holdSeconds": 15, "test": "fixes"})
    suite.add("may/hold/fixes-without-times", "Without times only the fixes confirm.", circle,
              [{key: value for key, value in one.items() if key != "time"} for one in through], "enter a 3, exit a 7", {"confirmFixes": 2})
    suite.add("may/hold/two-places", "Each place has a hold of its own.", [place("a", centre, 100), place("b", go(centre, 80, 153), 100)],
              through, "enter a 4, enter b 6, exit a 7, exit b 9", {"holdSeconds": 15})


def dwell(suite):
    """`dwellSeconds`: an event once a stay, so long after the enter."""
    centre = SITES["sydney"]
    circle = [place("a", centre, 100)]
    line = Pass(centre, 10, 0)

    def along(*distances, step=20):
        return timed([line.at(distance) for distance in distances], step=step * SECOND)

    stay = along(-300, -50, -20, 0, 20, 50, 300, 400)
    for seconds, expect in ((20, "enter a 1, dwell a 2, exit a 6"), (60, "enter a 1, dwell a 4, exit a 6"), (300, "enter a 1, exit a 6")):
        suite.add(f"may/dwell/{seconds}-s", f"A dwell comes {seconds} s after the enter, if the path is still inside.", circle, stay, expect,
                  {"dwellSeconds": seconds})
    suite.add("may/dwell/once-a-stay", "A long stay has one dwell.", circle, along(-300, *([0] * 12), 300), "enter a 1, dwell a 3, exit a 13",
              {"dwellSeconds": 30})
    suite.add("may/dwell/each-stay", "Two stays have a dwell each.", circle, along(-300, 0, 10, 20, 300, 10, 0, 5, 300),
              "enter a 1, dwell a 3, exit a 4, enter a 5, dwell a 7, exit a 8", {"dwellSeconds": 35})
    suite.add("may/dwell/start-inside", "A path that begins inside has no enter, and so no dwell.", circle, along(0, 10, 20, 0, 300),
              "exit a 4", {"dwellSeconds": 20})
    suite.add("may/dwell/leaves-before", "The path leaves and comes back: the dwell counts from the second enter.", circle,
              along(-300, 0, 300, 0, 10, 20, 30), "enter a 1, exit a 2, enter a 3, dwell a 5", {"dwellSeconds": 40})
    suite.add("may/dwell/between-fixes", "Two fixes inside are ten minutes apart, and the dwell comes between them.", circle,
              [fix(line.at(along), START + moment * SECOND) for along, moment in ((-300, 0), (0, 60), (10, 660), (300, 720))],
              "enter a 1, dwell a 2, exit a 3", {"dwellSeconds": 120})
    suite.add("may/dwell/at-fixes", "With sides at fixes the dwell comes at the first fix late enough.", circle, stay,
              "enter a 1, dwell a 3, exit a 6", {"dwellSeconds": 30, "test": "fixes"})
    suite.add("may/dwell/held", "With a hold the enter is confirmed later; the dwell still counts from the crossing.", circle, stay,
              "enter a 2, dwell a 3, exit a 6", {"dwellSeconds": 40, "holdSeconds": 15})
    suite.add("may/dwell/not-before-the-enter", "A dwell does not come before its enter is confirmed.", circle, stay,
              "enter a 3, dwell a 3", {"dwellSeconds": 10, "holdSeconds": 40})
    suite.add("may/dwell/ends-too-early", "The track ends before the dwell: an enter only.", circle, stay[:3], "enter a 1",
              {"dwellSeconds": 60})


def margins(suite):
    """`exitMarginMeters`: a circle is left only so far beyond its edge."""
    centre = SITES["quito"]
    circle = [place("a", centre, 100)]
    for margin in (20, 100):
        points = timed([go(centre, 60, distance) for distance in (300, 50, 100 + margin - 1, 50, 100 + margin + 1, 100 + margin - 1, 99)])
        suite.add(f"may/exit-margin/{margin}-m",
                  f"A path goes back a metre before the margin of {margin} m, then a metre beyond it; it enters again at the circle's own edge.",
                  circle, points, "enter a 1, exit a 4, enter a 6", {"exitMarginMeters": margin})
        line = Pass(centre, 150, 0)
        suite.add(f"may/exit-margin/{margin}-m-one-segment", "One segment enters at the edge and leaves at the margin.", circle,
                  timed([line.at(-500), line.at(500)]), "enter a 1, exit a 1", {"exitMarginMeters": margin},
                  points=[line.at(-100), line.at(100 + margin)])
        suite.add(f"may/exit-margin/{margin}-m-at-fixes", "The margin counts at fixes too.", circle, points, "enter a 1, exit a 4, enter a 6",
                  {"exitMarginMeters": margin, "test": "fixes"})


GROUPS = [breaks, first_fix, ties, wrong_times, shuffled, inexact, hold, dwell, margins]
