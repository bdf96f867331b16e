#define _GNU_SOURCE
#include "wake.h"

#include <sys/eventfd.h>

int agent_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
