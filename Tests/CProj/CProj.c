#include "CProj.h"

#include <stdlib.h>

#if __has_include(<geodesic.h>)

#include <dlfcn.h>
#include <geodesic.h>
#include <pthread.h>
#include <string.h>

_Static_assert(sizeof(struct geod_geodesicline) <= sizeof(cproj_line), "a line of PROJ has grown");

// The functions of geodesic.h that are used here, found by their names.
static __typeof__(&geod_init) init;
static __typeof__(&geod_inverse) inverse;
static __typeof__(&geod_direct) direct;
static __typeof__(&geod_inverseline) inverse_line;
static __typeof__(&geod_position) position;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct geod_geodesic ellipsoid;
static bool is_there;

static void open_proj(void) {
  // The name that comes with geodesic.h, whatever the version.
  void *library = dlopen("libproj.so", RTLD_NOW);
  if (!library) library = dlopen("libproj.dylib", RTLD_NOW);
  if (!library) return;
  init = (__typeof__(init))dlsym(library, "geod_init");
  inverse = (__typeof__(inverse))dlsym(library, "geod_inverse");
  direct = (__typeof__(direct))dlsym(library, "geod_direct");
  inverse_line = (__typeof__(inverse_line))dlsym(library, "geod_inverseline");
  position = (__typeof__(position))dlsym(library, "geod_position");
  is_there = init && inverse && direct && inverse_line && position;
  if (is_there) init(&ellipsoid, 6378137.0, 1 / 298.257223563);
}

bool cproj_is_there(void) {
  pthread_once(&once, open_proj);
  return is_there;
}

cproj_course cproj_inverse(double lat1, double lon1, double lat2, double lon2) {
  cproj_course course;
  const struct geod_geodesic *on = &ellipsoid;
  if (!cproj_is_there()) abort();
  inverse(on, lat1, lon1, lat2, lon2, &course.distance_m, &course.azimuth1, &course.azimuth2);
  return course;
}

double cproj_distance(double lat1, double lon1, double lat2, double lon2) {
  double distance;
  const struct geod_geodesic *on = &ellipsoid;
  if (!cproj_is_there()) abort();
  inverse(on, lat1, lon1, lat2, lon2, &distance, NULL, NULL);
  return distance;
}

cproj_point cproj_direct(double lat1, double lon1, double azimuth1, double distance_m) {
  cproj_point point;
  const struct geod_geodesic *on = &ellipsoid;
  if (!cproj_is_there()) abort();
  direct(on, lat1, lon1, azimuth1, distance_m, &point.lat, &point.lon, &point.azimuth);
  return point;
}

cproj_line cproj_inverse_line(double lat1, double lon1, double lat2, double lon2) {
  struct geod_geodesicline line;
  const struct geod_geodesic *on = &ellipsoid;
  if (!cproj_is_there()) abort();
  // 0 asks for every capability that geod_position needs.
  inverse_line(&line, on, lat1, lon1, lat2, lon2, 0);
  cproj_line kept = {{0}};
  memcpy(&kept, &line, sizeof line);
  return kept;
}

cproj_point cproj_position(const cproj_line *kept, double distance_m) {
  struct geod_geodesicline line;
  memcpy(&line, kept, sizeof line);
  cproj_point point;
  position(&line, distance_m, &point.lat, &point.lon, &point.azimuth);
  return point;
}

#else

bool cproj_is_there(void) { return false; }

// No test calls these where `cproj_is_there` is false.
cproj_course cproj_inverse(double lat1, double lon1, double lat2, double lon2) { abort(); }
double cproj_distance(double lat1, double lon1, double lat2, double lon2) { abort(); }
cproj_point cproj_direct(double lat1, double lon1, double azimuth1, double distance_m) { abort(); }
cproj_line cproj_inverse_line(double lat1, double lon1, double lat2, double lon2) { abort(); }
cproj_point cproj_position(const cproj_line *line, double distance_m) { abort(); }

#endif
