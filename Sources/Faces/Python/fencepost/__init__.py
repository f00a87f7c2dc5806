"""Replay walks against circles around stories, and see which alerts a phone would show.

>>> import fencepost
>>> places = fencepost.Places([{"id": "bell", "lat": 39.9496, "lon": -75.1503, "radius": 75}])
>>> walk = {"time": [0, 60], "lat": [39.9496, 39.9496], "lon": [-75.1520, -75.1503]}
>>> [event["type"] for event in fencepost.replay(walk, places)]
['alert', 'summary']

`replay` and `Session` run the engine in this process and release Python's global lock while they
do. `analyze`, `explain`, `simulate`, `Rules` with options and `Places` of a file run the program
`fencepost` that the same wheel installs.
"""

from ._library import FencepostError
from .analysis import Analysis, Report, analyze, explain, simulate
from .events import Event, Events
from .places import Places
from .rules import Rules
from .session import Session, replay

__all__ = [
    "Analysis", "Event", "Events", "FencepostError", "Places", "Report", "Rules", "Session",
    "analyze", "explain", "replay", "simulate"]
