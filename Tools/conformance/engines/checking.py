"""Whether the judge can tell right from wrong: every case's own answer must pass, and a damaged one must not."""

import copy

from comparing import CROSSINGS, judge


def right(case):
    """What a perfect engine would write."""
    answer = copy.deepcopy(case["events"])
    if "certificate" in case:
        stretches = [{"from": time, "to": time} for time in case["certificate"].get("at", [])]
        answer.append({"type": "certificate", "certified": case["certificate"]["certified"], "stretches": stretches})
    return answer


def damaged(case):
    """Wrong answers with a word for each."""
    numbers = [number for number, line in enumerate(right(case)) if line["type"] in CROSSINGS]
    if numbers:
        last = numbers[-1]
        if not case.get("mayMiss"):
            yield "an event is missing", [line for number, line in enumerate(right(case)) if number != last]
        twice = right(case)
        yield "an event comes twice", twice + [twice[last]]
        turned = right(case)
        turned[last]["type"] = "exit" if turned[last]["type"] == "enter" else "enter"
        yield "an event has another type", turned
        strange = right(case)
        strange[last]["place"] += "-strange"
        yield "an event has another place", strange
        later = right(case)
        if "fix" in later[last]:
            later[last]["fix"] += 1
            yield "an event is at another fix", later
        moved = right(case)
        if 0 < moved[last].get("fraction", 0) < 1:
            moved[last]["lat"] += (-1 if moved[last]["lat"] > 0 else 1) * 3 * case["tolerance"]["meters"] / 111_000
            yield "an event is somewhere else", moved
    if "certificate" in case:
        turned = right(case)
        turned[-1]["certified"] = not turned[-1]["certified"]
        yield "the certificate is another", turned
        yield "there is no certificate", right(case)[:-1]
        if case["certificate"].get("at"):
            turned = right(case)
            turned[-1]["stretches"] = turned[-1]["stretches"][1:]
            yield "a stretch is missing", turned
        swapped = right(case)
        for one, other in zip(numbers, numbers[1:]):
            if swapped[one]["place"] != swapped[other]["place"] and swapped[one].get("fix") != swapped[other].get("fix"):
                swapped[one], swapped[other] = swapped[other], swapped[one]
                yield "two events are swapped", swapped
                break
    refreshes = [number for number, line in enumerate(right(case)) if line["type"] == "refresh"]
    if refreshes:
        for key in ("fix", "monitored", "added", "removed", "radius"):
            other = right(case)
            other[refreshes[-1]][key] += 1
            yield "a refresh has another %s" % key, other
    if len(refreshes) > 1:
        yield "a refresh is missing", [line for number, line in enumerate(right(case)) if number != refreshes[-1]]
    if case.get("order") == "exact":
        yield "the order is another", right(case)[1::-1] + right(case)[2:]


def faults(cases):
    """Sentences about verdicts that are wrong, and how many there were."""
    sentences, count = [], 0
    for case in cases:
        verdict = judge(case, right(case))
        count += 1
        if verdict.kind != "pass" or verdict.why:
            sentences.append("%s: its own answer: %s %s" % (case["case"], verdict.kind, verdict.why))
        for word, answer in damaged(case):
            verdict = judge(case, answer)
            count += 1
            if verdict.kind == "pass" and not verdict.why:
                sentences.append("%s passes although %s" % (case["case"], word))
    return sentences, count
