#include "terminal.h"

#include <sys/ioctl.h>

struct terminal_size terminal_size(int descriptor) {
    struct winsize size = {0, 0, 0, 0};
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) size.ws_row = size.ws_col = 0;
    return (struct terminal_size){size.ws_row, size.ws_col};
}
