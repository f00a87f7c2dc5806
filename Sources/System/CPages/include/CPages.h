// The files in Sources/Use/Studio/Pages, which the build embeds in the program.
#ifndef CPAGES_H
#define CPAGES_H

#include <stddef.h>

/// A file of a page.
typedef struct {
  /// Its name, which ends in 0.
  const char *name;
  /// Its contents.
  const unsigned char *bytes;
  /// The number of bytes.
  size_t size;
} cpages_file;

/// Returns the file with an index from 0, or NULL after the last file.
const cpages_file *cpages_at(size_t index);

#endif
