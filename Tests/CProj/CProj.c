#include "CProj.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct geod_geodesic ellipsoid;

static void make(void) { geod_init(&ellipsoid, 6378137.0, 1 / 298.257223563); }

static const struct geod_geodesic *wgs84(void) {
  pthread_once(&once, make);
  return &ellipsoid;
}

cproj_course cproj_inverse(double lat1, double lon1, double lat2, double lon2) {
  cproj_course course;
  geod_inverse(wgs84(), lat1, lon1, lat2, lon2, &course.distance_m, &course.azimuth1,
               &course.azimuth2);
  return course;
}

double cproj_distance(double lat1, double lon1, double lat2, double lon2) {
  double distance;
  geod_inverse(wgs84(), lat1, lon1, lat2, lon2, &distance, NULL, NULL);
  return distance;
}

cproj_point cproj_direct(double lat1, double lon1, double azimuth1, double distance_m) {
  cproj_point point;
  geod_direct(wgs84(), lat1, lon1, azimuth1, distance_m, &point.lat, &point.lon, &point.azimuth);
  return point;
}

struct geod_geodesicline cproj_inverse_line(double lat1, double lon1, double lat2, double lon2) {
  struct geod_geodesicline line;
  // 0 asks for every capability that geod_position needs.
  geod_inverseline(&line, wgs84(), lat1, lon1, lat2, lon2, 0);
  return line;
}

cproj_point cproj_position(const struct geod_geodesicline *line, double distance_m) {
  cproj_point point;
  geod_position(line, distance_m, &point.lat, &point.lon, &point.azimuth);
  return point;
}
