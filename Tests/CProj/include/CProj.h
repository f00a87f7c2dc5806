// PROJ's geodesic routines (geodesic.h, by Charles Karney) on WGS84: the reference of the tests. The
// library is opened when it is first used, so that what is no test builds without it.
#ifndef CPROJ_H
#define CPROJ_H

#include <stdbool.h>

/// What `cproj_inverse` returns: meters, and the azimuths of the geodesic at its two ends in
/// degrees clockwise from north, -180 ... 180.
typedef struct {
  double distance_m;
  double azimuth1;
  double azimuth2;
} cproj_course;

/// What `cproj_direct` and `cproj_position` return: a point and the geodesic's azimuth there, in
/// degrees; the longitude and the azimuth are in -180 ... 180.
typedef struct {
  double lat;
  double lon;
  double azimuth;
} cproj_point;

/// A geodesic line, which only PROJ reads.
typedef struct {
  double parts[128];
} cproj_line;

/// Whether PROJ was there when this was compiled, and is there now. Nothing else may be called
/// without it.
bool cproj_is_there(void);

/// As `geod_inverse`.
cproj_course cproj_inverse(double lat1, double lon1, double lat2, double lon2);

/// The distance that `cproj_inverse` gives, in meters, without the azimuths, which cost more time.
double cproj_distance(double lat1, double lon1, double lat2, double lon2);

/// As `geod_direct`.
cproj_point cproj_direct(double lat1, double lon1, double azimuth1, double distance_m);

/// As `geod_inverseline`: the geodesic line from the first point to the second.
cproj_line cproj_inverse_line(double lat1, double lon1, double lat2, double lon2);

/// As `geod_position`: the point at `distance_m` along `line`.
cproj_point cproj_position(const cproj_line *line, double distance_m);

#endif
