#define _GNU_SOURCE
#include "CSpatiaLite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256] = "";

static void *(*alloc_connection)(void);
static void (*init_ex)(sqlite3 *, const void *, int);
static void (*cleanup_ex)(const void *);

static void load(void) {
  static const char *const names[] = {"libspatialite.so.7", "libspatialite.so.8",
                                      "libspatialite.so"};
  void *library = NULL;
  for (unsigned i = 0; i < sizeof names / sizeof *names && !library; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *said = dlerror();
    snprintf(failure, sizeof failure, "%s", said ? said : "libspatialite could not be loaded");
    return;
  }
  *(void **)&alloc_connection = dlsym(library, "spatialite_alloc_connection");
  *(void **)&init_ex = dlsym(library, "spatialite_init_ex");
  *(void **)&cleanup_ex = dlsym(library, "spatialite_cleanup_ex");
  if (!alloc_connection || !init_ex || !cleanup_ex)
    snprintf(failure, sizeof failure, "libspatialite lacks the connection routines");
}

void *cspatialite_attach(sqlite3 *connection) {
  pthread_once(&once, load);
  if (failure[0]) return NULL;
  void *cache = alloc_connection();
  init_ex(connection, cache, 0);
  return cache;
}

void cspatialite_detach(void *cache) {
  if (cache && cleanup_ex) cleanup_ex(cache);
}

const char *cspatialite_failure(void) {
  pthread_once(&once, load);
  return failure;
}
