// The C interface of Fencepost's engine: places, and sessions that turn fixes into events.
//
// Handles. `fencepost_places` never change and may be used by several threads at once. A
// `fencepost_session` belongs to one thread at a time; different sessions may run side by side.
// Whoever creates a handle destroys it; a session keeps what it needs of its places.
//
// Texts are UTF-8. Those with a length need no NUL at the end, and need not outlive the call.
//
// Errors. A function that may fail returns a fencepost_status. If that is not FENCEPOST_DONE, it
// has written no handle, and `*message` is one sentence for people. Free it with fencepost_free.
// `message` may be NULL.
//
// Nothing here calls back, starts threads, reads a clock or writes, except that
// fencepost_session_follow reads a file, and that a whole track which runs backward in time waits
// in a temporary file.
#ifndef FENCEPOST_H
#define FENCEPOST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this header; equals fencepost_interface_version() of a library that fits it.
#define FENCEPOST_INTERFACE_VERSION 1

/// The time of a fix that has none.
#define FENCEPOST_NO_TIME INT64_MIN

typedef enum {
  FENCEPOST_DONE = 0,
  FENCEPOST_BAD_PLACES = 1,
  FENCEPOST_BAD_RULES = 2,
  FENCEPOST_BAD_TRACK = 3,
  FENCEPOST_BAD_SNAPSHOT = 4
} fencepost_status;

/// The track is whole: it may run backward in time, and fixes that contradict each other wait for
/// its end. Without this flag, a session follows fixes as they come.
#define FENCEPOST_WHOLE 1
/// Count the entries that were missed because only some circles were watched.
#define FENCEPOST_MISSES 2

typedef struct fencepost_places fencepost_places;
typedef struct fencepost_session fencepost_session;

int32_t fencepost_interface_version(void);

/// Frees a message or a snapshot; NULL is allowed.
void fencepost_free(void *memory);

/// Indexes places: a JSON array of objects with `id`, `lat` and `lon`, and perhaps `title`,
/// `radius` (meters; 100 if missing), `blurb`, `url`, `category`, `priority`, `published` and
/// `expires` (ISO 8601).
int32_t fencepost_places_create(const uint8_t *json, int64_t length, fencepost_places **places,
                                char **message);

int64_t fencepost_places_count(const fencepost_places *places);

void fencepost_places_destroy(fencepost_places *places);

/// Begins a track.
///
/// `rules` is what `fencepost rules --format json` writes; the default rules if `rules_length` is
/// 0. `name` and `device` (NULL for none) are in every event. `events` lists the kinds to report,
/// such as "alert,summary" or "all". `flags` are FENCEPOST_WHOLE and FENCEPOST_MISSES, or 0.
int32_t fencepost_session_create(const fencepost_places *places, const uint8_t *rules,
                                 int64_t rules_length, const char *name, const char *device,
                                 const char *events, int32_t flags, fencepost_session **session,
                                 char **message);

/// Continues a track from a snapshot. The rules must be those of the original session; places may
/// have changed since.
int32_t fencepost_session_restore(const fencepost_places *places, const uint8_t *rules,
                                  int64_t rules_length, const uint8_t *snapshot, int64_t length,
                                  const char *events, fencepost_session **session, char **message);

/// Writes the state of a session that is not whole. Free `*bytes` with fencepost_free.
int32_t fencepost_session_snapshot(const fencepost_session *session, void **bytes, int64_t *length,
                                   char **message);

/// Follows the next fixes, given by column; nothing is kept of the columns.
///
/// `times` are in milliseconds since 1970-01-01T00:00:00Z or FENCEPOST_NO_TIME. `latitudes` and
/// `longitudes` are in degrees; a fix where one is NaN is rejected. `accuracies` are in meters and
/// `speeds` in meters per second; NaN is unknown. A fix whose number in `segments` differs from
/// that before begins a new piece of the path. All but latitudes and longitudes may be NULL.
int32_t fencepost_session_feed(fencepost_session *session, int64_t count, const int64_t *times,
                               const double *latitudes, const double *longitudes,
                               const float *accuracies, const float *speeds,
                               const int32_t *segments, char **message);

/// Follows one fix, and returns how many bytes of events there are; most often 0.
int64_t fencepost_session_feed_one(fencepost_session *session, int64_t time, double latitude,
                                   double longitude, float accuracy, float speed);

/// Follows a file of any format that the program reads, as a whole track, and ends the session.
/// If the file is damaged, the events up to there are reported too.
int32_t fencepost_session_follow(fencepost_session *session, const char *path, char **message);

/// Follows other places from the last fix on, such as a newer list. Places with the same ids keep
/// their cooldowns; a circle that is new, moved or resized is not entered if the device is already
/// inside. Misses are not counted from here on.
int32_t fencepost_session_replace_places(fencepost_session *session,
                                         const fencepost_places *places, char **message);

/// Ends the track: judges the fixes that still wait, and reports the summary. Nothing may follow.
int32_t fencepost_session_finish(fencepost_session *session, char **message);

/// The events of the last call that follows, replaces or finishes: `*length` bytes of lines, each a
/// JSON object as `--format ndjson` writes it. They live until the next call with this session.
const uint8_t *fencepost_session_events(const fencepost_session *session, int64_t *length);

/// Ends a session; NULL is allowed.
void fencepost_session_destroy(fencepost_session *session);

#ifdef __cplusplus
}
#endif

#endif
