// libFuzzer itself comes with the compiler; only its header is missing there.
#include "CFuzzer.h"
