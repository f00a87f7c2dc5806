"""Times: interpolated, absent, equal, and in the form of zones and fractions; places and paths of nothing."""

from making import MINUTE, SITES, START, Pass, fix, go, oracle, place, timed, timeless

SECOND = 1000


def interpolation(suite):
    """The time of a crossing divides the segment's time as the crossing divides its length."""
    centre = SITES["philadelphia"]
    line = Pass(centre, 90, 0)
    for step in (1, 7, 333, SECOND, MINUTE, 6 * 60 * MINUTE):
        suite.add(f"must/times/{step}-ms-apart", f"Two fixes {step} ms and 400 m apart; the crossings are at a quarter and at three quarters.",
                  [place("a", centre, 100)], timed([line.at(-200), line.at(200)], step=step), "enter a 1, exit a 1",
                  points=[line.at(-100), line.at(100)])
    for name, moment in (("the-epoch", "1970-01-01T00:00:00Z"), ("before-the-epoch", "1969-07-20T20:17:40Z"),
                         ("end-of-2037", "2037-12-31T23:59:30Z"), ("after-32-bits", "2038-01-19T03:13:50Z"),
                         ("leap-day", "2028-02-28T23:59:30Z"), ("no-leap-day", "2100-02-28T23:59:30Z"),
                         ("over-midnight", "2026-12-31T23:59:30Z")):
        suite.add(f"must/times/{name}", f"A crossing 15 s and another 45 s after {moment}.",
                  [place("a", centre, 100)], timed([line.at(-200), line.at(200)], start=oracle.milliseconds(moment)),
                  "enter a 1, exit a 1")
    points = [fix(line.at(-200), START), fix(line.at(-150), START + 10 * MINUTE), fix(line.at(-50), START + 10 * MINUTE + SECOND),
              fix(line.at(200), START + 60 * MINUTE)]
    suite.add("must/times/uneven", "Slow, then fast, then slow: each segment's own speed counts.", [place("a", centre, 100)],
              points, "enter a 2, exit a 3")


def no_times(suite):
    """A path without times has crossings with positions and no times."""
    for number, (site, centre) in enumerate(SITES.items()):
        line = Pass(centre, 60 * number, 20)
        suite.add(f"must/no-times/through-{site}", "Fixes without times: enter and exit have positions and no times.",
                  [place("a", centre, 100)], timeless([line.at(-400), line.at(400)]), "enter a 1, exit a 1", points=line.chord(100))
    centre = SITES["quito"]
    line = Pass(centre, 0, 0)
    suite.add("must/no-times/standing", "Fixes without times at one position, inside; then the path leaves.",
              [place("a", centre, 100)], timeless([line.at(-300), line.at(0), line.at(0), line.at(0), line.at(300)]),
              "enter a 1, exit a 4")
    suite.add("must/no-times/start-inside", "The path begins inside, without times.", [place("a", centre, 100)],
              timeless([line.at(10), line.at(300), line.at(10)]), "exit a 1, enter a 2")
    suite.add("must/no-times/at-fixes", "Sides at fixes, without times.", [place("a", centre, 100)],
              timeless([line.at(-300), line.at(10), line.at(300)]), "enter a 1, exit a 2", {"test": "fixes"})
    suite.add("must/no-times/many", "Ten circles on a path without times.",
              [place(f"p{number}", line.at(500 * number), 100) for number in range(1, 11)],
              timeless([line.at(250 * number) for number in range(23)]))


def equal_times(suite):
    """Receivers repeat whole seconds: positions may differ where times do not."""
    centre = SITES["sydney"]
    line = Pass(centre, 75, 0)
    same = [fix(line.at(along), START) for along in (-300, -150, 0)]
    suite.add("must/equal-times/all", "Three fixes with one time: the path is followed, and the enter has that time.",
              [place("a", centre, 100)], same, "enter a 2")
    pairs = [fix(line.at(along), START + number // 2 * SECOND) for number, along in enumerate((-300, -200, -60, 0, 60, 300))]
    suite.add("must/equal-times/pairs", "Each time occurs twice.", [place("a", centre, 100)], pairs, "enter a 2, exit a 5")
    suite.add("must/equal-times/through", "Both fixes have one time, and the circle lies between them.",
              [place("a", centre, 100)], [fix(line.at(-300), START), fix(line.at(300), START)], "enter a 1, exit a 1")
    suite.add("must/equal-times/at-fixes", "Sides at fixes with one time.", [place("a", centre, 100)],
              [fix(line.at(along), START) for along in (-300, 0, 300)], "enter a 1, exit a 2", {"test": "fixes"})
    suite.add("must/equal-times/still", "The same position at later times, inside: one enter.", [place("a", centre, 100)],
              [fix(line.at(-300), START)] + [fix(line.at(0), START + number * MINUTE) for number in range(1, 6)], "enter a 1")
    suite.add("must/equal-times/still-outside", "The same position at later times, outside.", [place("a", centre, 100)],
              [fix(line.at(-300), START + number * MINUTE) for number in range(5)], "")


def nothing(suite):
    """Degenerate input has an answer too."""
    centre = SITES["tromso"]
    circle = [place("a", centre, 100)]
    line = Pass(centre, 20, 0)
    suite.add("must/degenerate/no-fixes", "No fix: no event.", circle, [], "")
    suite.add("must/degenerate/no-places", "No circle: no event.", [], timed([line.at(-300), line.at(300)]), "")
    suite.add("must/degenerate/one-fix-inside", "One fix, inside: no event.", circle, timed([centre]), "")
    suite.add("must/degenerate/one-fix-outside", "One fix, outside: no event.", circle, timed([line.at(300)]), "")
    suite.add("must/degenerate/far-away", "The only circle is on the other side of the Earth.",
              [place("a", (-centre[0], centre[1] - 180), 100)], timed([line.at(-300), line.at(300)]), "")
    suite.add("must/degenerate/null-island", "A path through latitude 0, longitude 0, which is a place in the sea.",
              [place("a", (0.0, 0.0), 100)], timed([(0.0, -0.003), (0.0, 0.0), (0.0, 0.003)]), "enter a 1, exit a 2")
    suite.add("must/degenerate/nothing-moves", "Two fixes at one position outside, a segment of length 0.", circle,
              timed([line.at(300), line.at(300)]), "")
    suite.add("must/degenerate/a-centimetre", "Steps of a centimetre over an edge.", circle,
              timed([go(centre, 20, 100.015 - 0.01 * number) for number in range(4)], step=SECOND), "enter a 2")


GROUPS = [interpolation, no_times, equal_times, nothing]
