#include "arguments.h"

static int count;
static char **first;

// glibc hands a program's arguments to its constructors. Swift's own list comes from /proc/self,
// and is empty where that is not mounted: a command without words would print its help and have
// done nothing, with success.
__attribute__((constructor)) static void keep(int argument_count, char **arguments) {
    count = argument_count;
    first = arguments;
}

int shim_argument_count(void) { return count; }
const char *shim_argument(int index) { return index >= 0 && index < count ? first[index] : 0; }
