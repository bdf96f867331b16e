// A camera that delivers recorded frames, loaded into eosvault-scan with LD_PRELOAD: it replaces
// ioctl(2) and mmap(2) for the file that is opened as a device. The program's own code for cameras
// runs unchanged.
//
// The file has frames: the length in 4 bytes, least first, and the bytes. FAKE_CAMERA is a list of
// words: the format (YUYV, UYVY, GREY, MJPG, H264), WIDTHxHEIGHT, and any of:
//   again      delivers the first frame after the last one
//   interrupt  each request is interrupted by a signal once
//   damaged    marks each other frame as damaged
//   output     is a device for output
//   busy       can't start
//   wrong      gives a buffer that does not exist
//   refuses    accepts no format
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/videodev2.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { BUFFERS = 3, LARGEST = 4 << 20 };

static int camera = -1;
static uint32_t format, width, height;
static unsigned char *buffers[BUFFERS];
static int queued[BUFFERS], waiting, next_mapped, interrupted, frames;
static off_t place;

static int has(const char *word) {
    const char *words = getenv("FAKE_CAMERA");
    return words && strstr(words, word) != NULL;
}

static void begin(int descriptor) {
    camera = descriptor;
    const char *words = getenv("FAKE_CAMERA");
    char name[5] = "    ";
    if (words) sscanf(words, "%4s %ux%u", name, &width, &height);
    format = v4l2_fourcc(name[0], name[1], name[2], name[3]);
}

/// The next recorded frame in a buffer; its length, or 0 after the last one.
static uint32_t load(unsigned char *buffer) {
    unsigned char head[4];
    if (pread(camera, head, 4, place) != 4) {
        if (!has("again") || place == 0) return 0;
        place = 0;
        return load(buffer);
    }
    const uint32_t length = head[0] | head[1] << 8 | head[2] << 16 | (uint32_t)head[3] << 24;
    if (length > LARGEST || pread(camera, buffer, length, place + 4) != length) return 0;
    place += 4 + length;
    return length;
}

static int fail(int number) {
    errno = number;
    return -1;
}

static int answer(unsigned long request, void *argument) {
    if (has("interrupt") && !interrupted++) return fail(EINTR);
    interrupted = 0;
    switch (request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *capability = argument;
        capability->capabilities = V4L2_CAP_DEVICE_CAPS;
        capability->device_caps = V4L2_CAP_STREAMING | (has("output") ? V4L2_CAP_VIDEO_OUTPUT : V4L2_CAP_VIDEO_CAPTURE);
        return 0;
    }
    case VIDIOC_ENUM_FMT: {
        struct v4l2_fmtdesc *description = argument;
        if (description->index > 1) return fail(EINVAL);
        description->pixelformat = description->index == 0 ? V4L2_PIX_FMT_H264 : format;
        return 0;
    }
    case VIDIOC_S_FMT: {
        if (has("refuses")) return fail(EBUSY);
        struct v4l2_format *wanted = argument;
        wanted->fmt.pix.width = width;
        wanted->fmt.pix.height = height;
        wanted->fmt.pix.bytesperline = format == V4L2_PIX_FMT_GREY ? width : 2 * width;
        return 0;
    }
    case VIDIOC_REQBUFS: ((struct v4l2_requestbuffers *)argument)->count = BUFFERS; return 0;
    case VIDIOC_QUERYBUF: {
        struct v4l2_buffer *buffer = argument;
        buffer->length = LARGEST;
        buffer->m.offset = buffer->index * LARGEST;
        return 0;
    }
    case VIDIOC_QBUF: {
        const struct v4l2_buffer *buffer = argument;
        if (buffer->index >= BUFFERS || queued[buffer->index]) return fail(EINVAL);
        queued[buffer->index] = 1;
        return 0;
    }
    case VIDIOC_STREAMON: return has("busy") ? fail(EBUSY) : 0;
    case VIDIOC_STREAMOFF: return 0;
    case VIDIOC_DQBUF: {
        struct v4l2_buffer *buffer = argument;
        if (!queued[waiting]) return fail(EINVAL);
        const uint32_t length = load(buffers[waiting]);
        if (length == 0) return fail(ENODEV);
        buffer->index = has("wrong") ? 100 : (uint32_t)waiting;
        buffer->bytesused = length;
        buffer->flags = has("damaged") && frames++ % 2 == 0 ? V4L2_BUF_FLAG_ERROR : 0;
        queued[waiting] = 0;
        waiting = (waiting + 1) % BUFFERS;
        return 0;
    }
    default: return fail(ENOTTY);
    }
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (request == VIDIOC_QUERYCAP && camera < 0) begin(descriptor);
    if (descriptor == camera) return answer(request, argument);
    return (int)syscall(SYS_ioctl, descriptor, request, argument);
}

void *mmap(void *start, size_t length, int protection, int flags, int descriptor, off_t offset) {
    if (descriptor < 0 || descriptor != camera)
        return (void *)syscall(SYS_mmap, start, length, protection, flags, descriptor, offset);
    void *memory = (void *)syscall(
        SYS_mmap, NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (next_mapped < BUFFERS) buffers[next_mapped++] = memory;
    return memory;
}
