#!/usr/bin/env python3
"""Simulates a phone on straight ways past one circle, from its profile's JSON and the guide alone.

Shares no code with the program. The guide to FencepostPhones defines what is simulated here; if
the two disagree, one of them is wrong. Needs NumPy:

    python3 Data/phones/plain_phone.py > Data/phones/straight-ways.csv
"""

import json
import os
import sys

import numpy as np

PROFILES = os.path.join(os.path.dirname(__file__), "../../Sources/Phones/Profiles")
TRIALS = 100_000


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


def probability(profile, side, speed, radius, offset, half, random):
    """The share of phones that alert for the one entry, or exit, of a straight way.

    The way leads from -half to half at a constant speed, and passes the center at the offset.
    """
    limits, sure, position, delivery = (
        profile[name] for name in ("limits", "confirmation", "position", "delivery"))
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

    def distance(seconds, error):
        return np.hypot(-half + speed * seconds + error[0], offset + error[1])

    # The region is added at the first fix, where the phone believes to be.
    error = sigma * random.normal(size=(2, TRIALS))
    inside = np.zeros(TRIALS, bool)
    since = np.full(TRIALS, np.nan)
    count = np.zeros(TRIALS, int)
    came = np.zeros(TRIALS, bool)

    def take(seconds, is_inside):
        nonlocal since, count, came, inside
        other = is_inside != inside
        since = np.where(other, np.where(np.isnan(since), seconds, since), np.nan)
        count = np.where(other, count + 1, 0)
        confirmed = other & (count >= fixes) & (seconds - since >= hold - 1e-6)
        inside = np.where(confirmed, is_inside, inside)
        since = np.where(confirmed, np.nan, since)
        count = np.where(confirmed, 0, count)
        notified = confirmed & (inside == (side == "enter"))
        notified &= random.random(TRIALS) >= delivery["neverInResidentialShare"]["value"]
        at = seconds + draw(delivery["backgroundSeconds"]["value"], random, TRIALS)
        first, last = (crossing, exit_at) if side == "enter" else (exit_at, exit_at)
        came |= notified & (at >= first - 900) & (at <= last + 900)

    at_start = distance(np.zeros(TRIALS), error) <= enter_edge
    if limits["addedInside"]["value"] == "silent":
        inside = at_start
    else:
        take(np.zeros(TRIALS), at_start)
    previous = np.zeros(TRIALS)
    seconds = random.random(TRIALS) * interval
    while True:
        live = seconds <= end
        if not live.any():
            return came.mean()
        share = np.exp(-(seconds - previous) / tau)
        error = share * error + np.sqrt(1 - share**2) * sigma * random.normal(size=(2, TRIALS))
        far = distance(seconds, error)
        take(seconds, np.where(live, far <= np.where(inside, exit_edge, enter_edge), inside))
        previous, seconds = seconds, seconds + interval


def main():
    random = np.random.default_rng(20261126)
    print("profile,side,metersPerSecond,radius,offset,half,probability")
    for name in ("iphone", "android"):
        with open(os.path.join(PROFILES, name + ".json"), encoding="utf-8") as file:
            profile = json.load(file)
        for side in ("enter", "exit"):
            for speed in (1.3, 3, 8, 13.9, 25):
                circles = [(100, 0, 1000)]
                if (name, side) in (("iphone", "enter"), ("android", "exit")):
                    circles.append((200, 150, 600))
                for radius, offset, half in circles:
                    share = probability(profile, side, speed, radius, offset, half, random)
                    print(f"{name},{side},{speed},{radius},{offset},{half},{share:.4f}")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
