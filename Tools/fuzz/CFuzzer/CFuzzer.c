#include "CFuzzer.h"

#include <stdio.h>

// libFuzzer comes with the compiler; only its header is missing there.
__attribute__((weak)) int LLVMFuzzerRunDriver(int *argc, char ***argv,
                                              int (*callback)(const uint8_t *data, size_t size));

int cfuzzer_run(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size)) {
  if (LLVMFuzzerRunDriver) return LLVMFuzzerRunDriver(argc, argv, callback);
  fputs("built without libFuzzer: Tools/fuzz/run builds it in\n", stderr);
  return 69;
}
