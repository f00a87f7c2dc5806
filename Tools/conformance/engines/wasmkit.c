// Replays cases in a runtime without JavaScript. A question on standard input is a line with four
// numbers, the bytes of the texts of places, rules and name, and the number of fixes; the texts
// follow, and the columns of the fixes. The answer is a line with the number of its bytes, and the
// lines of events; or the negative number, and the sentence of a refusal.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *fencepost_places_create(const void *, int32_t);
void fencepost_places_destroy(void *);
void *fencepost_session_create(
    void *, const void *, int32_t, const void *, int32_t, int32_t, bool);
void fencepost_session_feed(
    void *, int32_t, const int64_t *, const double *, const double *, const float *, const float *,
    const int32_t *);
void fencepost_session_finish(void *);
const char *fencepost_session_events(void *);
int32_t fencepost_session_events_length(void *);
void fencepost_session_destroy(void *);
const char *fencepost_message(void);
int32_t fencepost_message_length(void);

enum { ALL_EVENTS = 255 };

static void *read_bytes(size_t count) {
  void *bytes = malloc(count + 1);
  if (!bytes || fread(bytes, 1, count, stdin) != count) exit(1);
  return bytes;
}

static void *replay(const int *size, void *places) {
  void *rules = read_bytes(size[1]), *name = read_bytes(size[2]);
  int64_t *times = read_bytes(8 * size[3]);
  double *latitudes = read_bytes(8 * size[3]), *longitudes = read_bytes(8 * size[3]);
  float *accuracies = read_bytes(4 * size[3]), *speeds = read_bytes(4 * size[3]);
  int32_t *segments = read_bytes(4 * size[3]);
  void *session = NULL;
  if (places)
    session = fencepost_session_create(places, rules, size[1], name, size[2], ALL_EVENTS, true);
  if (session)
    fencepost_session_feed(
        session, size[3], times, latitudes, longitudes, accuracies, speeds, segments);
  void *lent[] = {rules, name, times, latitudes, longitudes, accuracies, speeds, segments};
  for (size_t index = 0; index < sizeof lent / sizeof *lent; index++) free(lent[index]);
  return session;
}

int main(void) {
  int size[4];
  while (scanf("%d %d %d %d", &size[0], &size[1], &size[2], &size[3]) == 4) {
    getchar();
    void *text = read_bytes(size[0]), *places = fencepost_places_create(text, size[0]);
    void *session = replay(size, places);
    if (!session) {
      printf("-%d\n%.*s", fencepost_message_length(), fencepost_message_length(), fencepost_message());
    } else {
      // Each call gives only its own lines.
      int fed = fencepost_session_events_length(session);
      char *lines = malloc(fed + 1);
      if (!lines) exit(1);
      for (int index = 0; index < fed; index++) lines[index] = fencepost_session_events(session)[index];
      fencepost_session_finish(session);
      int rest = fencepost_session_events_length(session);
      printf("%d\n", fed + rest);
      fwrite(lines, 1, fed, stdout);
      fwrite(fencepost_session_events(session), 1, rest, stdout);
      free(lines);
      fencepost_session_destroy(session);
    }
    fflush(stdout);
    if (places) fencepost_places_destroy(places);
    free(text);
  }
}
