// A camera that delivers frames: Video4Linux2, streaming with memory-mapped buffers
// (Documentation/userspace-api/media/v4l).
#ifndef EOSVAULT_VIDEO_H
#define EOSVAULT_VIDEO_H

#include <stddef.h>
#include <stdint.h>

/// The layout of a frame.
enum video_layout { VIDEO_MJPEG, VIDEO_YUYV, VIDEO_UYVY, VIDEO_GREY };

/// What failed.
enum video_step { VIDEO_QUERY, VIDEO_NO_CAPTURE, VIDEO_NO_FORMAT, VIDEO_SET_FORMAT, VIDEO_BUFFERS, VIDEO_START };

enum { VIDEO_MOST_BUFFERS = 4 };

struct video_camera {
    int descriptor;
    enum video_layout layout;
    /// Of a frame, in pixels; `stride` in bytes.
    uint32_t width, height, stride;
    uint32_t count;
    void *buffers[VIDEO_MOST_BUFFERS];
    size_t lengths[VIDEO_MOST_BUFFERS];
};

/// Starts a camera that is open for reading, with frames near this size. Returns -1, or the step
/// that failed with errno.
int video_start(struct video_camera *camera, int descriptor, uint32_t width, uint32_t height);

/// Waits for a frame. Returns the index of its buffer and sets `length`; -1 and errno. A frame that
/// the camera marked as damaged has the length 0.
int video_wait(struct video_camera *camera, size_t *length);

/// Gives a buffer back to the camera. Returns 0, or -1 and errno.
int video_release(struct video_camera *camera, int buffer);

/// Stops the camera and releases all buffers.
void video_stop(struct video_camera *camera);

#endif
