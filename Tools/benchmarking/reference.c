/* The least work that finds the same entries: a yardstick for Tools/benchmark.
 *
 * usage: reference all|limited PLACES.csv TRACK.csv...
 *
 * Places are lines of id, title, latitude, longitude and radius in meters, tracks lines of time,
 * latitude and longitude; both have a heading. Prints the place and the fix of each entry: the path
 * from the fix before touches the place's circle and begins outside of it. With "limited" only the
 * 20 circles count whose centers were nearest at the last lookup. The first fix of a track is a
 * lookup, and so is every fix 500 meters or more from the last one, once the path to it was tested.
 *
 * Each place has a plane of its own, scaled by the ellipsoid's radii of curvature at its latitude.
 * That is good to centimeters near it, which is why this is a yardstick and not an answer.
 */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 20, BUCKET_BITS = 21, BUCKETS = 1 << BUCKET_BITS };

static const double CELL_DEGREES = 0.01;
static const double LOOKUP_METERS = 500;

/* Meters a degree to the east and north; the former changes by `slope` with each degree north. */
typedef struct {
  double east, slope, north;
} Scale;

typedef struct {
  double latitude, longitude, radius;
  Scale scale;
  const char *id;
  int length;
  /* The last segment that this place was tested against. */
  long tested;
} Place;

typedef struct {
  double latitude, longitude;
} Fix;

typedef struct {
  int64_t cell;
  int place;
} Entry;

static Place *places;
static int placeCount;

/* The entries of all cells, those of a bucket together; bucket b starts at starts[b]. */
static Entry *entries;
static int starts[BUCKETS + 1];
static int leastRow, greatestRow, leastColumn, greatestColumn;

/* MARK: Meters */

static Scale scaleAt(double latitude) {
  const double radius = 6378137, flattening = 1 / 298.257223563;
  const double eccentricity = flattening * (2 - flattening), radians = M_PI / 180;
  double sine = sin(latitude * radians), cosine = cos(latitude * radians);
  double root = sqrt(1 - eccentricity * sine * sine);
  Scale scale;
  scale.east = radians * radius / root * cosine;
  scale.slope = -radians * radians * radius / root * sine;
  scale.north = radians * radius * (1 - eccentricity) / (root * root * root);
  return scale;
}

/* Where a position is in a plane about another, in meters. */
static void project(const Scale *scale, double north, double east, double *x, double *y) {
  *x = east * (scale->east + scale->slope * north / 2);
  *y = north * scale->north;
}

static double squaredMeters(const Scale *scale, double north, double east) {
  double x, y;
  project(scale, north, east, &x, &y);
  return x * x + y * y;
}

/* Whether the path from one fix to the next enters a place's circle. */
static int enters(const Place *place, const Fix *from, const Fix *to) {
  double x, y, endX, endY, square = place->radius * place->radius;
  project(&place->scale, from->latitude - place->latitude, from->longitude - place->longitude, &x, &y);
  if (x * x + y * y <= square) return 0;
  project(&place->scale, to->latitude - place->latitude, to->longitude - place->longitude, &endX, &endY);
  double alongX = endX - x, alongY = endY - y, length = alongX * alongX + alongY * alongY;
  double share = length > 0 ? -(x * alongX + y * alongY) / length : 0;
  share = share < 0 ? 0 : share > 1 ? 1 : share;
  double nearX = x + share * alongX, nearY = y + share * alongY;
  return nearX * nearX + nearY * nearY <= square;
}

/* MARK: The grid */

static int cellOf(double degrees) { return (int)floor(degrees / CELL_DEGREES); }

static int64_t cellAt(int row, int column) { return ((int64_t)row << 32) + column; }

static uint32_t bucketOf(int64_t cell) {
  return (uint32_t)(((uint64_t)cell * 0x9E3779B97F4A7C15u) >> (64 - BUCKET_BITS));
}

/* Counts a cell of a place, or, in the second pass, puts it into its bucket. */
static void addCell(int row, int column, int place, int pass) {
  int64_t cell = cellAt(row, column);
  uint32_t bucket = bucketOf(cell);
  if (pass == 0) {
    starts[bucket]++;
  } else {
    Entry entry = {cell, place};
    entries[--starts[bucket]] = entry;
  }
}

/* Puts each place into the cells that its circle touches, or only into that of its center. */
static void makeGrid(int byCircle) {
  leastRow = leastColumn = INT32_MAX;
  greatestRow = greatestColumn = INT32_MIN;
  for (int pass = 0; pass < 2; pass++) {
    for (int index = placeCount - 1; index >= 0; index--) {
      const Place *place = &places[index];
      double north = byCircle ? 1.001 * place->radius / place->scale.north : 0;
      double east = byCircle ? 1.001 * place->radius / place->scale.east : 0;
      int south = cellOf(place->latitude - north), top = cellOf(place->latitude + north);
      int west = cellOf(place->longitude - east), right = cellOf(place->longitude + east);
      for (int row = south; row <= top; row++) {
        for (int column = west; column <= right; column++) addCell(row, column, index, pass);
      }
      if (south < leastRow) leastRow = south;
      if (top > greatestRow) greatestRow = top;
      if (west < leastColumn) leastColumn = west;
      if (right > greatestColumn) greatestColumn = right;
    }
    if (pass > 0) break;
    for (int bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1] += starts[bucket];
    entries = malloc(sizeof(Entry) * (starts[BUCKETS] + 1));
  }
}

/* MARK: The nearest places */

typedef struct {
  int count;
  int places[LIMIT];
  double squares[LIMIT];
} Nearest;

/* Keeps a place among the nearest, those at one distance in the order of the file. */
static void keep(Nearest *nearest, int place, double square) {
  int spot = nearest->count < LIMIT ? nearest->count++ : LIMIT - 1;
  while (spot > 0 && (nearest->squares[spot - 1] > square ||
                      (nearest->squares[spot - 1] == square && nearest->places[spot - 1] > place))) {
    nearest->places[spot] = nearest->places[spot - 1];
    nearest->squares[spot] = nearest->squares[spot - 1];
    spot--;
  }
  nearest->places[spot] = place;
  nearest->squares[spot] = square;
}

static void keepCell(Nearest *nearest, const Fix *fix, const Scale *scale, int row, int column) {
  int64_t cell = cellAt(row, column);
  uint32_t bucket = bucketOf(cell);
  for (int index = starts[bucket]; index < starts[bucket + 1]; index++) {
    if (entries[index].cell != cell) continue;
    const Place *place = &places[entries[index].place];
    double square =
        squaredMeters(scale, place->latitude - fix->latitude, place->longitude - fix->longitude);
    if (nearest->count < LIMIT || square < nearest->squares[LIMIT - 1]) {
      keep(nearest, entries[index].place, square);
    }
  }
}

/* Looks at rings of cells, until none can hold a nearer place. */
static void look(Nearest *nearest, const Fix *fix) {
  Scale scale = scaleAt(fix->latitude);
  int row = cellOf(fix->latitude), column = cellOf(fix->longitude);
  int most = greatestRow - leastRow + greatestColumn - leastColumn + 2;
  nearest->count = 0;
  for (int ring = 0; ring <= most; ring++) {
    /* Everything in this ring is this many whole cells away, which narrow towards the pole. */
    double meters = 0.98 * scale.east * CELL_DEGREES * (ring - 1);
    if (nearest->count == LIMIT && ring > 1 && meters * meters > nearest->squares[LIMIT - 1]) break;
    for (int y = row - ring; y <= row + ring; y++) {
      if (y < leastRow || y > greatestRow) continue;
      int step = y == row - ring || y == row + ring || ring == 0 ? 1 : 2 * ring;
      for (int x = column - ring; x <= column + ring; x += step) {
        keepCell(nearest, fix, &scale, y, x);
      }
    }
  }
}

/* MARK: A track */

static void print(const Place *place, long fix) {
  printf("%.*s %ld\n", place->length, place->id, fix);
}

static void findAll(const Fix *from, const Fix *to, long fix, long segment) {
  int south = cellOf(fmin(from->latitude, to->latitude));
  int north = cellOf(fmax(from->latitude, to->latitude));
  int west = cellOf(fmin(from->longitude, to->longitude));
  int east = cellOf(fmax(from->longitude, to->longitude));
  for (int row = south; row <= north; row++) {
    for (int column = west; column <= east; column++) {
      int64_t cell = cellAt(row, column);
      uint32_t bucket = bucketOf(cell);
      for (int index = starts[bucket]; index < starts[bucket + 1]; index++) {
        Place *place = &places[entries[index].place];
        if (entries[index].cell != cell || place->tested == segment) continue;
        place->tested = segment;
        if (enters(place, from, to)) print(place, fix);
      }
    }
  }
}

static void findLimited(Nearest *watched, Fix *looked, const Fix *from, const Fix *to, long fix) {
  for (int index = 0; index < watched->count; index++) {
    const Place *place = &places[watched->places[index]];
    if (enters(place, from, to)) print(place, fix);
  }
  Scale scale = scaleAt(to->latitude);
  double square =
      squaredMeters(&scale, looked->latitude - to->latitude, looked->longitude - to->longitude);
  if (square < LOOKUP_METERS * LOOKUP_METERS) return;
  *looked = *to;
  look(watched, to);
}

/* MARK: Files */

static char *contents(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) {
    perror(path);
    exit(1);
  }
  long size = ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  if (fread(text, 1, size, file) != (size_t)size) exit(1);
  text[size] = 0;
  fclose(file);
  return text;
}

/* Goes behind the next comma. */
static char *nextField(char *text) { return strchr(text, ',') + 1; }

/* Goes behind the end of the line. */
static char *nextLine(char *text) {
  char *end = strchr(text, '\n');
  return end ? end + 1 : text + strlen(text);
}

/* Reads a decimal number without an exponent. */
static double number(char **text) {
  static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
  char *next = *text;
  int isNegative = *next == '-', decimals = 0;
  int64_t digits = 0;
  if (isNegative) next++;
  while (*next >= '0' && *next <= '9') digits = digits * 10 + (*next++ - '0');
  if (*next == '.') {
    for (next++; *next >= '0' && *next <= '9' && decimals < 9; decimals++) {
      digits = digits * 10 + (*next++ - '0');
    }
  }
  *text = next;
  double value = digits / powers[decimals];
  return isNegative ? -value : value;
}

static void readPlaces(char *text) {
  int room = 0;
  for (text = nextLine(text); *text; text = nextLine(text)) {
    if (placeCount == room) {
      room = room ? 2 * room : 1 << 16;
      places = realloc(places, sizeof(Place) * room);
    }
    Place *place = &places[placeCount++];
    place->id = text;
    text = nextField(text);
    place->length = text - 1 - place->id;
    text = nextField(text);
    place->latitude = number(&text);
    text++;
    place->longitude = number(&text);
    text++;
    place->radius = number(&text);
    place->scale = scaleAt(place->latitude);
    place->tested = 0;
  }
}

int main(int count, char **words) {
  if (count < 4) {
    fprintf(stderr, "usage: reference all|limited PLACES.csv TRACK.csv...\n");
    return 64;
  }
  int isLimited = strcmp(words[1], "limited") == 0;
  readPlaces(contents(words[2]));
  makeGrid(!isLimited);
  long segment = 0;
  for (int track = 3; track < count; track++) {
    char *text = contents(words[track]), *next = nextLine(text);
    Nearest watched = {0};
    Fix from = {0}, to = {0}, looked = {0};
    for (long fix = 0; *next; fix++, from = to) {
      next = nextField(next);
      to.latitude = number(&next);
      next++;
      to.longitude = number(&next);
      next = nextLine(next);
      if (fix == 0 && isLimited) look(&watched, &to);
      if (fix == 0) {
        looked = to;
      } else if (isLimited) {
        findLimited(&watched, &looked, &from, &to, fix);
      } else {
        findAll(&from, &to, fix, ++segment);
      }
    }
    free(text);
  }
  return 0;
}
