// What the engine takes from wasi-libc.
#include <math.h>
#include <stdlib.h>
#include <string.h>
