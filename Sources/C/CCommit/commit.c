#include "commit.h"

const char *commit_of_build(void) { return EOSVAULT_COMMIT; }
