#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// What libFuzzer's own `main` does. Without libFuzzer, which only Tools/fuzz/run links, it says so and
/// returns 69.
int cfuzzer_run(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

#endif
