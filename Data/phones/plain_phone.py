#!/usr/bin/env python3
"""Simulates a phone on straight ways past one circle, from its profile's JSON and the guide alone.

Shares no code with the program. The guide to FencepostPhones defines what is simulated here; if
the two disagree, one of them is wrong. Needs NumPy, and writes the tables beside itself:

    python3 Data/phones/plain_phone.py
"""

import json
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
PROFILES = os.path.join(HERE, "../../Sources/Core/Phones/Profiles")
TRIALS = 100_000


def load(name):
    """A built-in profile, with what it takes over from the one it begins from."""
    with open(os.path.join(PROFILES, name + ".json"), encoding="utf-8") as file:
        own = json.load(file)
    whole = load(own["base"]) if "base" in own else {}
    for section, values in own.items():
        if isinstance(values, dict):
            whole[section] = {**whole.get(section, {}), **values}
        else:
            whole[section] = values
    return whole


def constant(value):
    return {"kind": "constant", "value": value}


def draw(distribution, random, count):
    """Random values of a distribution of the profile."""
    kind = distribution["kind"]
    if kind == "constant":
        return np.full(count, float(distribution["value"]))
    if kind == "lognormal":
        return distribution["median"] * np.exp(distribution["sigma"] * random.normal(size=count))
    if kind == "quantiles":
        shares, values = zip(*distribution["at"])
        return np.interp(random.random(count), shares, values)
    parts = distribution["parts"]
    chosen = random.choice(len(parts), size=count, p=[part["share"] for part in parts])
    values = np.zeros(count)
    for number, part in enumerate(parts):
        values = np.where(chosen == number, draw(part["of"], random, count), values)
    return values


class Faults:
    """What the system does wrong; nothing that the profile leaves out."""

    def __init__(self, profile, random):
        self.given, self.random = profile.get("faults", {}), random

    def number(self, name):
        return self.given.get(name, {"value": 0})["value"]

    def happens(self, name):
        return self.random.random(TRIALS) < self.number(name)

    def draw(self, name):
        given = self.given.get(name, {"value": constant(0)})
        return draw(given["value"], self.random, TRIALS)

    def silences(self, end):
        """Begin and end of each trial's silences: arrays of them, one after the other."""
        always = self.happens("noRegionsShare")
        spans = [(np.where(always, -np.inf, np.inf), np.full(TRIALS, np.inf))]
        last = np.zeros(TRIALS)
        while self.number("silencesPerHour") > 0 and (last <= end).any():
            begin = last + self.random.exponential(3600 / self.number("silencesPerHour"), TRIALS)
            last = begin + self.draw("silenceSeconds")
            spans.append((np.where(begin <= end, begin, np.inf), last))
        return spans


def simulate(profile, side, speed, radius, offset, half, random, added=0.0):
    """The share of phones that alert for the one entry, or exit, of a straight way, and the mean
    number of their other alerts.

    The way leads from -half to half at a constant speed, and passes the center at the offset. The
    circle is watched from some time on, one or one a trial, until the end.
    """
    limits, sure, position, delivery = (
        profile[name] for name in ("limits", "confirmation", "position", "delivery"))
    faults = Faults(profile, random)
    kept = max(radius, limits["leastRadiusMeters"]["value"])
    enter_edge = kept - sure["enterCushionMeters"]["value"]
    exit_edge = kept + sure["exitCushionMeters"]["value"]
    hold, fixes = sure["holdSeconds"]["value"], sure["fixes"]["value"]
    interval = position["intervalSeconds"]["value"]
    sigma = position["residentialSigmaMeters"]["value"]
    tau = position["correlationSeconds"]["value"]
    end = 2 * half / speed
    chord = np.sqrt(radius**2 - offset**2)
    crossing, exit_at = (half - chord) / speed, (half + chord) / speed
    first, last = (crossing, exit_at) if side == "enter" else (exit_at, exit_at)
    added = np.broadcast_to(np.asarray(added, float), TRIALS)
    silences = faults.silences(end)

    def distance(seconds, error=(0, 0)):
        seconds = np.minimum(seconds, end)
        return np.hypot(-half + speed * seconds + error[0], offset + error[1])

    # The region is added where the phone believes to be.
    error = sigma * random.normal(size=(2, TRIALS))
    inside = np.zeros(TRIALS, bool)
    since = np.full(TRIALS, np.nan)
    count = np.zeros(TRIALS, int)
    came = np.zeros(TRIALS, bool)
    others = 0

    def notify(seconds, chosen):
        nonlocal came, others
        if not chosen.any():
            return
        told = np.where(chosen, seconds, np.inf)
        for begin, until in silences:
            silent = (begin <= told) & (told <= until)
            is_inside = distance(until) <= radius
            told = np.where(
                silent, np.where(is_inside == (side == "enter"), until, np.inf), told)
        told = np.where(
            random.random(TRIALS) < delivery["neverInResidentialShare"]["value"], np.inf, told)
        at = told + draw(delivery["backgroundSeconds"]["value"], random, TRIALS)
        at = at + np.where(faults.happens("lateShare"), faults.draw("lateSeconds"), 0)
        for again in (np.isfinite(at), np.isfinite(at) & faults.happens("repeatedShare")):
            belongs = again & (at >= first - 900) & (at <= last + 900) & ~came
            came = came | belongs
            others += (again & ~belongs).mean()

    def take(seconds, is_inside):
        nonlocal since, count, inside
        other = is_inside != inside
        since = np.where(other, np.where(np.isnan(since), seconds, since), np.nan)
        count = np.where(other, count + 1, 0)
        confirmed = other & (count >= fixes) & (seconds - since >= hold - 1e-6)
        inside = np.where(confirmed, is_inside, inside)
        since = np.where(confirmed, np.nan, since)
        count = np.where(confirmed, 0, count)
        notify(seconds, confirmed & (inside == (side == "enter")))

    if side == "enter":
        notify(added, (added <= end) & faults.happens("falseOnAddShare"))
    at_start = (distance(added, error) <= enter_edge) & (added <= end)
    if limits["addedInside"]["value"] == "silent":
        inside = at_start
    else:
        take(added, at_start)
    previous = added.copy()
    seconds = random.random(TRIALS) * interval
    while True:
        if not (seconds <= end).any():
            return came.mean(), others
        live = (seconds >= added) & (seconds <= end)
        share = np.exp(-np.where(live, seconds - previous, 0) / tau)
        error = share * error + np.sqrt(1 - share**2) * sigma * random.normal(size=(2, TRIALS))
        far = distance(seconds, error)
        take(seconds, np.where(live, far <= np.where(inside, exit_edge, enter_edge), inside))
        previous, seconds = np.where(live, seconds, previous), seconds + interval


def watched_from(profile, speed, half, apart, random):
    """When each phone begins to watch the circle, where it watches one: the nearest at a lookup.

    The other circle is some way before it. The way has a fix every 100 m.
    """
    refresh, faults = profile["refresh"], Faults(profile, random)
    start = np.full(TRIALS, np.inf)
    last = np.full(TRIALS, -half)
    wanted = np.full(TRIALS, -np.inf)
    for x in np.arange(-half, half + 1, 100.0):
        far = (x - last >= wanted) & (
            (x - last) / speed >= refresh["leastIntervalSeconds"]["value"])
        due = far | (x == -half)
        heeded = due & ((x == -half) | ~faults.happens("staleLookupShare"))
        if x > -apart / 2:
            start = np.where(heeded & np.isinf(start), (x + half) / speed, start)
        last = np.where(due, x, last)
        drawn = draw(refresh["noticedBeyondMeters"]["value"], random, TRIALS)
        wanted = np.where(due, refresh["distanceMeters"]["value"] + drawn, wanted)
    return start


def straight_ways(random):
    """Enters and exits at five speeds on two phones."""
    yield "profile,side,metersPerSecond,radius,offset,half,probability"
    for name in ("iphone", "android"):
        for side in ("enter", "exit"):
            for speed in (1.3, 3, 8, 13.9, 25):
                circles = [(100, 0, 1000)]
                if (name, side) in (("iphone", "enter"), ("android", "exit")):
                    circles.append((200, 150, 600))
                for radius, offset, half in circles:
                    share, _ = simulate(
                        load(name), side, speed, radius, offset, half, random)
                    yield f"{name},{side},{speed},{radius},{offset},{half},{share:.4f}"


# Each fault alone, in the form of a profile's JSON, and often enough to matter.
FAULTS = {
    "none": {},
    "repeated": {"repeatedShare": 0.4},
    "false-on-add": {"falseOnAddShare": 0.3},
    "silent": {"silencesPerHour": 3, "silenceSeconds": constant(600)},
    "stale": {"staleLookupShare": 0.5},
    "no-regions": {"noRegionsShare": 0.25},
    "late": {"lateShare": 0.5, "lateSeconds": constant(1200)},
}


def faults(random):
    """What each fault does to an iPhone, and what those of two profiles do together."""
    yield "profile,fault,side,metersPerSecond,half,apart,probability,others"
    scenes = [(name, "own") for name in ("iphone-clmonitor", "android-14")]
    for name, fault in [("iphone", fault) for fault in FAULTS] + scenes:
        profile = load(name)
        if fault != "own":
            profile["faults"] = {key: {"value": value} for key, value in FAULTS[fault].items()}
        for side, speed, half, apart in (
                ("enter", 2, 3000, 0), ("exit", 2, 3000, 0), ("enter", 8, 6000, 5000)):
            added = watched_from(profile, speed, half, apart, random) if apart else 0.0
            share, others = simulate(profile, side, speed, 150, 0, half, random, added)
            yield f"{name},{fault},{side},{speed},{half},{apart},{share:.4f},{others:.4f}"


def main():
    for name, rows in (("straight-ways", straight_ways), ("faults", faults)):
        with open(os.path.join(HERE, name + ".csv"), "w", encoding="utf-8") as file:
            for row in rows(np.random.default_rng(20261126)):
                print(row, file=file, flush=True)


if __name__ == "__main__":
    main()
