#include "dumping.h"

#include <sys/prctl.h>

#if defined(__OPTIMIZE__) && (!defined(_FORTIFY_SOURCE) || _FORTIFY_SOURCE < 2)
// All C targets have the same flags. `make hardening` can't detect this one from symbols: code with
// nothing to check imports no checking function.
#error "the C code of a release build must be compiled with _FORTIFY_SOURCE"
#endif

int process_forbid_dumping(void) {
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : -1;
}
