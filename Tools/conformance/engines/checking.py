"""Whether the judge can tell right from wrong: every case's own answer must pass, and a damaged one
must not."""

import copy

from comparing import CROSSINGS, judge


def right(case):
    """What a perfect engine would write."""
    answer = copy.deepcopy(case["events"])
    if wanted := case.get("certificate"):
        stretches = [{"from": time, "to": time} for time in wanted.get("at", [])]
        answer.append({"type": "certificate", "certified": wanted["certified"], "stretches": stretches})
    return answer


def damaged(case):
    """Wrong answers with a word for each."""
    answer = right(case)
    crossings = [number for number, line in enumerate(answer) if line["type"] in CROSSINGS]
    refreshes = [number for number, line in enumerate(answer) if line["type"] == "refresh"]

    def changed(number, **values):
        return [{**line, **values} if line is answer[number] else line for line in answer]

    if crossings:
        last = crossings[-1]
        event = answer[last]
        if not case.get("mayMiss"):
            yield "an event is missing", answer[:last] + answer[last + 1:]
        yield "an event comes twice", [*answer, event]
        other = "exit" if event["type"] == "enter" else "enter"
        yield "an event has another type", changed(last, type=other)
        yield "an event has another place", changed(last, place=event["place"] + "-strange")
        if "fix" in event:
            yield "an event is at another fix", changed(last, fix=event["fix"] + 1)
        if 0 < event.get("fraction", 0) < 1:
            off = 3 * case["tolerance"]["meters"] / 111_000
            lat = event["lat"] + (-off if event["lat"] > 0 else off)
            yield "an event is somewhere else", changed(last, lat=lat)
    if wanted := case.get("certificate"):
        yield "the certificate is another", changed(-1, certified=not wanted["certified"])
        yield "there is no certificate", answer[:-1]
        if wanted.get("at"):
            yield "a stretch is missing", changed(-1, stretches=answer[-1]["stretches"][1:])
        for one, other in zip(crossings, crossings[1:]):
            if all(answer[one].get(key) != answer[other].get(key) for key in ("place", "fix")):
                swapped = list(answer)
                swapped[one], swapped[other] = swapped[other], swapped[one]
                yield "two events are swapped", swapped
                break
    for key in ("fix", "monitored", "added", "removed", "radius") if refreshes else ():
        more = {key: answer[refreshes[-1]][key] + 1}
        yield "a refresh has another %s" % key, changed(refreshes[-1], **more)
    if len(refreshes) > 1:
        yield "a refresh is missing", answer[:refreshes[-1]] + answer[refreshes[-1] + 1:]
    if case.get("order") == "exact":
        yield "the order is another", answer[1::-1] + answer[2:]


def faults(cases):
    """Sentences about verdicts that are wrong, and how many there were."""
    sentences, count = [], 0
    for case in cases:
        for word, answer in [(None, right(case)), *damaged(case)]:
            verdict = judge(case, answer)
            count += 1
            passes = verdict.kind == "pass" and not verdict.why
            if passes and word:
                sentences.append("%s passes although %s" % (case["case"], word))
            if not passes and not word:
                sentences.append("%s: its own answer: %s %s" % (case["case"], verdict.kind, verdict.why))
    return sentences, count
