import CScan
import Codecs
import Files
import Glibc

/// A camera that the kernel offers as a device, such as `/dev/video0` (Video4Linux2).
@safe package struct Camera: ~Copyable, FrameSource {
    /// The size that is asked of a camera. A code of version 10 then has 8 pixels for each module
    /// if it fills most of the height.
    private static let wanted = (width: 1280 as UInt32, height: 720 as UInt32)

    private let file: OpenFile
    private var camera: video_camera

    package init(_ path: String) throws(ScanError) {
        let file = try converting(
            { (error: FileError) in ScanError.camera(.open, errno: error.number) }, try OpenFile(path))
        camera = try Self.start(file)
        self.file = file
    }

    private static func start(_ file: borrowing OpenFile) throws(ScanError) -> video_camera {
        var camera = video_camera()
        let step = file.withDescriptor { unsafe video_start(&camera, $0.number, wanted.width, wanted.height) }
        let number = errno
        guard step >= 0 else { return camera }
        switch video_step(UInt32(step)) {
        case VIDEO_NO_CAPTURE, VIDEO_NO_FORMAT: throw .noCamera
        case VIDEO_QUERY:
            throw number == ENOTTY || number == EINVAL ? .noCamera : .camera(.query, errno: number)
        case VIDEO_SET_FORMAT: throw .camera(.format, errno: number)
        case VIDEO_BUFFERS: throw .camera(.buffers, errno: number)
        default: throw .camera(.start, errno: number)
        }
    }

    deinit {
        var camera = camera
        unsafe video_stop(&camera)
    }

    package mutating func next() throws(ScanError) -> CapturedFrame? {
        while true {
            var length = 0
            let index = unsafe video_wait(&camera, &length)
            guard index >= 0 else { throw .camera(.frame, errno: errno) }
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: buffer(Int(index)), count: length))
            guard unsafe video_release(&camera, index) == 0 else { throw .camera(.frame, errno: errno) }
            // The camera marks a damaged frame.
            if !bytes.isEmpty { return CapturedFrame(bytes: bytes, format: format) }
        }
    }

    private func buffer(_ index: Int) -> UnsafeMutableRawPointer? {
        let all = unsafe camera.buffers
        return unsafe [all.0, all.1, all.2, all.3][index]
    }

    private var format: PictureFormat {
        let (width, height, stride) = (Int(camera.width), Int(camera.height), Int(camera.stride))
        return switch camera.layout {
        case VIDEO_MJPEG: .jpeg
        case VIDEO_YUYV: .raw(RawFrame(.brightnessFirst, width: width, height: height, stride: stride))
        case VIDEO_UYVY: .raw(RawFrame(.colourFirst, width: width, height: height, stride: stride))
        default: .raw(RawFrame(.brightnessPlane, width: width, height: height, stride: stride))
        }
    }
}
