#include <png.h>
#include <turbojpeg.h>
#include <zbar.h>
