// PROJ's geodesic routines (geodesic.h, by Charles Karney), bound when first used.
//
// libproj drags some fifty libraries in with it, 8 ms at every start; most runs never leave the
// range of the fast path and so never need it.
#ifndef CPROJ_H
#define CPROJ_H

#include <geodesic.h>

/// What `cproj_inverse` answers: metres, and the azimuths of the geodesic at its two ends in
/// degrees clockwise from north, -180 ... 180.
typedef struct {
  double distance_m;
  double azimuth1;
  double azimuth2;
} cproj_course;

/// What `cproj_direct` and `cproj_position` answer: a point and the geodesic's azimuth there, in
/// degrees; the longitude and the azimuth are in -180 ... 180.
typedef struct {
  double lat;
  double lon;
  double azimuth;
} cproj_point;

/// 1 when PROJ's geodesic routines could be loaded, else 0. Thread-safe; loads at most once.
int cproj_available(void);

/// What the loader said when `cproj_available` is 0; an empty string otherwise.
const char *cproj_failure(void);

/// As `geod_inverse` on WGS84. Call only when `cproj_available` is 1.
cproj_course cproj_inverse(double lat1, double lon1, double lat2, double lon2);

/// The distance that `cproj_inverse` gives, in metres, without the azimuths, which cost more time.
/// Call only when `cproj_available` is 1.
double cproj_distance(double lat1, double lon1, double lat2, double lon2);

/// As `geod_direct` on WGS84. Call only when `cproj_available` is 1.
cproj_point cproj_direct(double lat1, double lon1, double azimuth1, double distance_m);

/// As `geod_inverseline` on WGS84: the geodesic line from the first point to the second.
/// Call only when `cproj_available` is 1.
struct geod_geodesicline cproj_inverse_line(double lat1, double lon1, double lat2, double lon2);

/// As `geod_position`: the point at `distance_m` along `line`.
cproj_point cproj_position(const struct geod_geodesicline *line, double distance_m);

#endif
