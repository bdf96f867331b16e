#include "arguments.h"

static int count;
static char **first;

// glibc passes the arguments of a program to its constructors. Swift reads its own list from
// /proc/self, which is empty where /proc is not mounted. A command without arguments would then
// print its help and exit with success.
__attribute__((constructor)) static void keep(int argument_count, char **arguments) {
    count = argument_count;
    first = arguments;
}

int process_argument_count(void) { return count; }
const char *process_argument(int index) { return index >= 0 && index < count ? first[index] : 0; }
