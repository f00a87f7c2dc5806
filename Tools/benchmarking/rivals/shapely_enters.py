"""The enters of a drive with every place monitored, by pandas, pyproj and shapely.

usage: shapely_enters.py DRIVE.csv PLACES.csv ENTERS.txt

In a plane about the middle of the drive (azimuthal equidistant), hence not quite exact.
"""

import sys

import numpy
import pandas
import pyproj
import shapely

drive = pandas.read_csv(sys.argv[1])
places = pandas.read_csv(sys.argv[2])
plane = pyproj.Proj(proj="aeqd", lat_0=drive.lat.mean(), lon_0=drive.lon.mean(), ellps="WGS84")
path = numpy.column_stack(plane(drive.lon, drive.lat))
spots = shapely.points(numpy.column_stack(plane(places.lon, places.lat)))
segments = shapely.linestrings(numpy.stack([path[:-1], path[1:]], axis=1))

radius = places.radius.to_numpy(dtype=float)
place, segment = shapely.STRtree(segments).query(spots, predicate="dwithin", distance=radius)
starts = shapely.points(path[segment])
outside = shapely.distance(spots[place], starts) > radius[place]
ids = places.id.to_numpy()
with open(sys.argv[3], "w", encoding="utf-8") as enters:
    for index, fix in zip(place[outside], segment[outside] + 1):
        enters.write(f"{ids[index]} {fix}\n")
