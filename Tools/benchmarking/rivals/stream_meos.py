"""A query of the streaming benchmark by MEOS, fix by fix, as the engines of that benchmark ask it: is this instant within
the radius of the place, on the ellipsoid?

usage: stream_meos.py entering|first FIXES.csv PLACES.csv FOUND.txt
"""

import csv
import datetime
import sys

import pymeos
import pymeos_cffi as meos

query, fixes_file, places_file, found_file = sys.argv[1:5]
pymeos.pymeos_initialize()
with open(places_file, encoding="utf-8") as file:
    places = [(row["id"], meos.geog_in(f"POINT({row['lon']} {row['lat']})", -1), float(row["radius"]))
              for row in csv.DictReader(file)]
state = {}
with open(fixes_file, encoding="utf-8") as file, open(found_file, "w", encoding="utf-8") as found:
    for row in csv.DictReader(file):
        point = meos.geog_in(f"POINT({row['lon']} {row['lat']})", -1)
        time = datetime.datetime.fromisoformat(row["time"].replace("Z", "+00:00"))
        instant = meos.tpointinst_make(point, meos.datetime_to_timestamptz(time))
        for place, spot, radius in places:
            key = (row["device"], place)
            if query == "first" and key in state:
                continue
            inside = meos.edwithin_tgeo_geo(instant, spot, radius) == 1
            if inside and not state.get(key):
                print(row["device"], place, row["time"], file=found)
            if inside or query == "entering":
                state[key] = inside
