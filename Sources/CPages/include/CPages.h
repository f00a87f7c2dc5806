// The files of the pages in Sources/Studio/Pages, which the build puts into the program.
#ifndef CPAGES_H
#define CPAGES_H

#include <stddef.h>

/// A file of the pages.
typedef struct {
  /// Its name.
  const char *name;
  /// Its contents.
  const unsigned char *bytes;
  /// How many bytes there are.
  size_t size;
} cpages_file;

/// The file of a number from 0 on; NULL behind the last one.
const cpages_file *cpages_at(size_t index);

#endif
