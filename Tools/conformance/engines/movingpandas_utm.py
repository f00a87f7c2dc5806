"""MovingPandas: Trajectory.clip() by a buffer of the center, in the UTM zone that GeoPandas estimates from the track."""

import warnings

import geopandas
import movingpandas
import pandas
import shapely
from sides import PLANAR, refusal

TITLE = "MovingPandas"
CLAIMS = PLANAR
COMMAND = "Trajectory(fixes).to_crs(estimate_utm_crs()).clip(Point.buffer(radius))"
warnings.simplefilter("ignore")


def version():
    return "%s, GeoPandas %s, Shapely %s" % (movingpandas.__version__, geopandas.__version__, shapely.__version__)


def events(case):
    if refused := refusal(case, test="path", timeless="no trajectory without times"):
        return refused
    fixes = case["fixes"]
    if len(fixes) < 2:
        return []
    frame = geopandas.GeoDataFrame(
        {"t": [pandas.Timestamp(fix["time"]).tz_localize(None) for fix in fixes]},
        geometry=[shapely.Point(fix["lon"], fix["lat"]) for fix in fixes], crs=4326).set_index("t")
    zone = frame.estimate_utm_crs()
    trajectory = movingpandas.Trajectory(frame.to_crs(zone), 1)
    found = [event for place in case["places"] for event in clipped(trajectory, place, zone)]
    return sorted(found, key=lambda event: (event["time"], event["place"]))


def clipped(trajectory, place, zone):
    center = geopandas.GeoSeries([shapely.Point(place["lon"], place["lat"])], crs=4326).to_crs(zone).iloc[0]
    for part in trajectory.clip(center.buffer(place["radius"])).trajectories:
        places = part.df.geometry.to_crs(4326)
        for kind, time, end, at in (
                ("enter", part.get_start_time(), trajectory.get_start_time(), places.iloc[0]),
                ("exit", part.get_end_time(), trajectory.get_end_time(), places.iloc[-1])):
            if time != end:
                yield {"type": kind, "place": place["id"], "time": time.isoformat(timespec="milliseconds") + "Z", "lat": at.y, "lon": at.x}
