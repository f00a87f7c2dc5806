#define _GNU_SOURCE
#include "CProj.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256] = "";
static struct geod_geodesic wgs84;

static void (*init)(struct geod_geodesic *, double, double);
static void (*inverse)(const struct geod_geodesic *, double, double, double, double, double *,
                       double *, double *);
static void (*direct)(const struct geod_geodesic *, double, double, double, double, double *,
                      double *, double *);
static void (*inverse_line)(struct geod_geodesicline *, const struct geod_geodesic *, double,
                            double, double, double, unsigned);
static void (*position)(const struct geod_geodesicline *, double, double *, double *, double *);

static void load(void) {
  static const char *const names[] = {"libproj.so.25", "libproj.so"};
  void *library = NULL;
  for (unsigned i = 0; i < sizeof names / sizeof *names && !library; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *said = dlerror();
    snprintf(failure, sizeof failure, "%s", said ? said : "libproj could not be loaded");
    return;
  }
  *(void **)&init = dlsym(library, "geod_init");
  *(void **)&inverse = dlsym(library, "geod_inverse");
  *(void **)&direct = dlsym(library, "geod_direct");
  *(void **)&inverse_line = dlsym(library, "geod_inverseline");
  *(void **)&position = dlsym(library, "geod_position");
  if (!init || !inverse || !direct || !inverse_line || !position) {
    snprintf(failure, sizeof failure, "libproj lacks the geodesic routines");
    return;
  }
  init(&wgs84, 6378137.0, 1 / 298.257223563);
}

int cproj_available(void) {
  pthread_once(&once, load);
  return failure[0] == 0;
}

const char *cproj_failure(void) {
  pthread_once(&once, load);
  return failure;
}

cproj_course cproj_inverse(double lat1, double lon1, double lat2, double lon2) {
  cproj_course course;
  pthread_once(&once, load);
  inverse(&wgs84, lat1, lon1, lat2, lon2, &course.distance_m, &course.azimuth1, &course.azimuth2);
  return course;
}

double cproj_distance(double lat1, double lon1, double lat2, double lon2) {
  double distance;
  pthread_once(&once, load);
  inverse(&wgs84, lat1, lon1, lat2, lon2, &distance, NULL, NULL);
  return distance;
}

cproj_point cproj_direct(double lat1, double lon1, double azimuth1, double distance_m) {
  cproj_point point;
  pthread_once(&once, load);
  direct(&wgs84, lat1, lon1, azimuth1, distance_m, &point.lat, &point.lon, &point.azimuth);
  return point;
}

struct geod_geodesicline cproj_inverse_line(double lat1, double lon1, double lat2, double lon2) {
  struct geod_geodesicline line;
  pthread_once(&once, load);
  // 0 asks for every capability that geod_position needs.
  inverse_line(&line, &wgs84, lat1, lon1, lat2, lon2, 0);
  return line;
}

cproj_point cproj_position(const struct geod_geodesicline *line, double distance_m) {
  cproj_point point;
  pthread_once(&once, load);
  position(line, distance_m, &point.lat, &point.lon, &point.azimuth);
  return point;
}
