"""A query of the streaming benchmark by pandas, shapely and pyproj, on the ellipsoid.

usage: stream_pandas.py entering|first FIXES.csv PLACES.csv FOUND.txt

`entering`: the fixes at which a vehicle is inside a place and was not at its fix before. `first`: the first fix of each
vehicle inside each place. Candidates come from a tree in degrees, distances from pyproj's geodesics.
"""

import sys

import numpy
import pandas
import pyproj
import shapely

CHUNK = 200_000
query, fixes_file, places_file, found_file = sys.argv[1:5]
fixes = pandas.read_csv(fixes_file)
places = pandas.read_csv(places_file)
earth = pyproj.Geod(ellps="WGS84")

# A degree is at least 110.5 km; of longitude, so much times the cosine.
reach = places.radius.to_numpy(float) / 110_500
wide = reach / numpy.cos(numpy.radians(numpy.minimum(89, numpy.abs(places.lat.to_numpy()) + reach)))
boxes = shapely.box(places.lon - wide, places.lat - reach, places.lon + wide, places.lat + reach)
tree = shapely.STRtree(boxes)
pieces = []
for start in range(0, len(fixes), CHUNK):
    part = fixes.iloc[start:start + CHUNK]
    fix, place = tree.query(shapely.points(part.lon, part.lat), predicate="intersects")
    _, _, meters = earth.inv(part.lon.to_numpy()[fix], part.lat.to_numpy()[fix],
                             places.lon.to_numpy()[place], places.lat.to_numpy()[place])
    near = meters <= places.radius.to_numpy()[place]
    pieces.append(pandas.DataFrame({"n": fix[near] + start, "place": places.id.to_numpy()[place[near]]}))
inside = pandas.concat(pieces)
inside["device"] = fixes.device.to_numpy()[inside.n]
inside["time"] = fixes.time.to_numpy()[inside.n]
if query == "first":
    found = inside.sort_values("n").drop_duplicates(["device", "place"])
else:
    # The number of the fix among those of its vehicle: a gap means that the one before was outside.
    inside["step"] = fixes.groupby("device").cumcount().to_numpy()[inside.n]
    inside = inside.sort_values(["device", "place", "n"])
    before = inside.groupby(["device", "place"]).step.shift(fill_value=-2)
    found = inside[before != inside.step - 1]
found[["device", "place", "time"]].to_csv(found_file, sep=" ", header=False, index=False)
