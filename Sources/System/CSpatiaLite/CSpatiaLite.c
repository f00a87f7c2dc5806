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

/// Runs before anything in the process can have opened a database: later calls have no effect.
__attribute__((constructor)) static void configure(void) {
  // Nobody reads SQLite's statistics of its memory; keeping them takes 7 % of the instructions of
  // reading places.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

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

static void nothing(sqlite3_context *context, int count, sqlite3_value **values) {}

static void cleanup(void *cache) { cleanup_ex(cache); }

int cspatialite_attach(sqlite3 *connection) {
  pthread_once(&once, load);
  if (failure[0]) return SQLITE_ERROR;
  void *cache = alloc_connection();
  init_ex(connection, cache, 0);
  // The cache belongs to a function that nobody calls: SQLite hands it to `cleanup` as it closes,
  // when no statement and no table can use it any more.
  return sqlite3_create_function_v2(connection, "fencepost_spatialite", 0, SQLITE_UTF8, cache,
                                    nothing, NULL, NULL, cleanup);
}

const char *cspatialite_failure(void) {
  pthread_once(&once, load);
  return failure;
}
