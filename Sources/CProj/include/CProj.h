// PROJ's geodesic routines (geodesic.h, by Charles Karney), bound when first used.
//
// libproj drags some fifty libraries in with it, 8 ms at every start; most runs never leave the
// range of the fast path and so never need it.
#ifndef CPROJ_H
#define CPROJ_H

#include <geodesic.h>

/// 1 when PROJ's geodesic routines could be loaded, else 0. Thread-safe; loads at most once.
int cproj_available(void);

/// What the loader said when `cproj_available` is 0; an empty string otherwise.
const char *cproj_failure(void);

/// As `geod_inverse` on WGS84. Call only when `cproj_available` is 1.
void cproj_inverse(double lat1, double lon1, double lat2, double lon2,
                   double *distance_m, double *azimuth1, double *azimuth2);

/// As `geod_direct` on WGS84. Call only when `cproj_available` is 1.
void cproj_direct(double lat1, double lon1, double azimuth1, double distance_m,
                  double *lat2, double *lon2, double *azimuth2);

/// As `geod_inverseline` on WGS84: the geodesic line from the first point to the second.
void cproj_inverse_line(struct geod_geodesicline *line, double lat1, double lon1,
                        double lat2, double lon2);

/// As `geod_position`: the point at `distance_m` along `line`.
void cproj_position(const struct geod_geodesicline *line, double distance_m,
                    double *lat2, double *lon2, double *azimuth2);

#endif
