// Replays cases wherever WebAssembly runs. A question on standard input is a line with five numbers:
// the bytes of the texts of places, rules and name, and how many fixes and edits there are. The texts follow,
// then the columns of the fixes, then each edit: the fix after which it counts and the bytes of its places,
// 32 bits each, and these places. The answer is some parts of the lines of events, each behind a line with
// the number of its bytes, and 0; or the negative number of bytes of a refusal, and its sentence.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *fencepost_places_create(const void *, int32_t);
void fencepost_places_destroy(void *);
void *fencepost_session_create(void *, const void *, int32_t, const void *, int32_t, int32_t, bool, bool);
void fencepost_session_feed(void *, int32_t, const int64_t *, const double *, const double *, const float *,
                            const float *, const int32_t *);
bool fencepost_session_replace(void *, void *);
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

/// Reads the text of places; NULL if they are refused.
static void *read_places(size_t count) {
  void *text = read_bytes(count), *places = fencepost_places_create(text, count);
  free(text);
  return places;
}

static void write_lines(void *session) {
  int32_t count = fencepost_session_events_length(session);
  if (!count) return;
  printf("%d\n", count);
  fwrite(fencepost_session_events(session), 1, count, stdout);
}

static bool replay(const int *size) {
  void *places = read_places(size[0]);
  void *rules = read_bytes(size[1]), *name = read_bytes(size[2]);
  int64_t *times = read_bytes(8 * size[3]);
  double *latitudes = read_bytes(8 * size[3]), *longitudes = read_bytes(8 * size[3]);
  float *accuracies = read_bytes(4 * size[3]), *speeds = read_bytes(4 * size[3]);
  int32_t *segments = read_bytes(4 * size[3]);
  void *session = NULL;
  if (places)
    session = fencepost_session_create(places, rules, size[1], name, size[2], ALL_EVENTS, size[4] == 0, true);
  bool is_taken = session != NULL;
  for (int edit = 0, fed = 0; edit <= size[4]; edit++) {
    int32_t header[] = {size[3] - 1, 0};
    if (edit < size[4] && fread(header, sizeof header, 1, stdin) != 1) exit(1);
    void *others = edit < size[4] ? read_places(header[1]) : NULL;
    if (is_taken) {
      fencepost_session_feed(session, header[0] + 1 - fed, times + fed, latitudes + fed, longitudes + fed,
                             accuracies + fed, speeds + fed, segments + fed);
      fed = header[0] + 1;
      write_lines(session);
      if (edit < size[4]) is_taken = others && fencepost_session_replace(session, others);
      if (others && is_taken) write_lines(session);
    }
    if (others) fencepost_places_destroy(others);
  }
  if (is_taken) {
    fencepost_session_finish(session);
    write_lines(session);
  }
  void *lent[] = {rules, name, times, latitudes, longitudes, accuracies, speeds, segments};
  for (size_t index = 0; index < sizeof lent / sizeof *lent; index++) free(lent[index]);
  if (session) fencepost_session_destroy(session);
  if (places) fencepost_places_destroy(places);
  return is_taken;
}

int main(void) {
  int size[5];
  while (scanf("%d %d %d %d %d", &size[0], &size[1], &size[2], &size[3], &size[4]) == 5) {
    getchar();
    if (replay(size)) {
      printf("0\n");
    } else {
      int32_t count = fencepost_message_length();
      printf("%d\n", -count);
      fwrite(fencepost_message(), 1, count, stdout);
    }
    fflush(stdout);
  }
}
