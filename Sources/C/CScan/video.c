#include "video.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

// In the order of preference: the compressed format gives the largest frames over USB 2.
static const struct {
    uint32_t code;
    enum video_layout layout;
} known[] = {
    {V4L2_PIX_FMT_MJPEG, VIDEO_MJPEG}, {V4L2_PIX_FMT_YUYV, VIDEO_YUYV},  {V4L2_PIX_FMT_JPEG, VIDEO_MJPEG},
    {V4L2_PIX_FMT_UYVY, VIDEO_UYVY},   {V4L2_PIX_FMT_GREY, VIDEO_GREY},  {V4L2_PIX_FMT_NV12, VIDEO_GREY},
    {V4L2_PIX_FMT_YUV420, VIDEO_GREY},
};
#define KNOWN (sizeof known / sizeof known[0])

/// A driver may list formats without end.
enum { MOST_FORMATS = 64 };

static int request(int descriptor, unsigned long request, void *argument) {
    int result;
    do result = ioctl(descriptor, request, argument);
    while (result != 0 && errno == EINTR);
    return result;
}

/// The index in `known` of the best format that the camera offers; KNOWN for none.
static size_t best_format(int descriptor) {
    size_t best = KNOWN;
    for (uint32_t index = 0; index < MOST_FORMATS; index++) {
        struct v4l2_fmtdesc format = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
        if (request(descriptor, VIDIOC_ENUM_FMT, &format) != 0) break;
        for (size_t i = 0; i < best; i++) {
            if (known[i].code == format.pixelformat) best = i;
        }
    }
    return best;
}

static int map(struct video_camera *camera) {
    struct v4l2_requestbuffers buffers = {
        .count = VIDEO_MOST_BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (request(camera->descriptor, VIDIOC_REQBUFS, &buffers) != 0) return -1;
    const uint32_t count = buffers.count < VIDEO_MOST_BUFFERS ? buffers.count : VIDEO_MOST_BUFFERS;
    for (uint32_t i = 0; i < count; i++) {
        struct v4l2_buffer buffer = {.index = i, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
        if (request(camera->descriptor, VIDIOC_QUERYBUF, &buffer) != 0) return -1;
        void *start = mmap(NULL, buffer.length, PROT_READ, MAP_SHARED, camera->descriptor, buffer.m.offset);
        if (start == MAP_FAILED) return -1;
        camera->buffers[i] = start;
        camera->lengths[i] = buffer.length;
        camera->count = i + 1;
        if (video_release(camera, (int)i) != 0) return -1;
    }
    if (count == 0) errno = ENOMEM;
    return count == 0 ? -1 : 0;
}

int video_start(struct video_camera *camera, int descriptor, uint32_t width, uint32_t height) {
    memset(camera, 0, sizeof *camera);
    camera->descriptor = descriptor;
    // It was opened without waiting: the path may be that of a pipe.
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    struct v4l2_capability capability = {0};
    if (request(descriptor, VIDIOC_QUERYCAP, &capability) != 0) return VIDEO_QUERY;
    const uint32_t can = capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps
                                                                        : capability.capabilities;
    if (!(can & V4L2_CAP_VIDEO_CAPTURE) || !(can & V4L2_CAP_STREAMING)) return VIDEO_NO_CAPTURE;
    const size_t best = best_format(descriptor);
    if (best == KNOWN) return VIDEO_NO_FORMAT;
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    format.fmt.pix.width = width;
    format.fmt.pix.height = height;
    format.fmt.pix.pixelformat = known[best].code;
    format.fmt.pix.field = V4L2_FIELD_ANY;
    if (request(descriptor, VIDIOC_S_FMT, &format) != 0) return VIDEO_SET_FORMAT;
    // The driver may change everything.
    if (format.fmt.pix.pixelformat != known[best].code) return VIDEO_NO_FORMAT;
    camera->layout = known[best].layout;
    camera->width = format.fmt.pix.width;
    camera->height = format.fmt.pix.height;
    camera->stride = format.fmt.pix.bytesperline;
    if (map(camera) != 0) {
        const int cause = errno;
        video_stop(camera);
        errno = cause;
        return VIDEO_BUFFERS;
    }
    enum v4l2_buf_type type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (request(descriptor, VIDIOC_STREAMON, &type) != 0) {
        const int cause = errno;
        video_stop(camera);
        errno = cause;
        return VIDEO_START;
    }
    return -1;
}

int video_wait(struct video_camera *camera, size_t *length) {
    struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (request(camera->descriptor, VIDIOC_DQBUF, &buffer) != 0) return -1;
    if (buffer.index >= camera->count) {
        errno = EPROTO;
        return -1;
    }
    const size_t mapped = camera->lengths[buffer.index];
    *length = buffer.bytesused < mapped ? buffer.bytesused : mapped;
    if (buffer.flags & V4L2_BUF_FLAG_ERROR) *length = 0;
    return (int)buffer.index;
}

int video_release(struct video_camera *camera, int index) {
    struct v4l2_buffer buffer = {
        .index = (uint32_t)index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    return request(camera->descriptor, VIDIOC_QBUF, &buffer);
}

void video_stop(struct video_camera *camera) {
    enum v4l2_buf_type type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    request(camera->descriptor, VIDIOC_STREAMOFF, &type);
    for (uint32_t i = 0; i < camera->count; i++) munmap(camera->buffers[i], camera->lengths[i]);
    camera->count = 0;
}
