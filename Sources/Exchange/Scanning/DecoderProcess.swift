import CScan
import Codecs
import Files
import Glibc
import Hardening

/// Finds the codes of each picture in a process of its own, which ends after the picture.
///
/// Libraries for pictures have had faults with which a picture could run code. The process has the
/// picture in its memory, can write to one pipe, and can open nothing. Its memory and its processor
/// time are limited.
package enum DecoderProcess {
    /// In seconds, of a picture and of an animation: thousands of codes take a minute on a slow
    /// machine.
    private static let (maximumTime, maximumAnimationTime): (UInt, UInt) = (60, 300)
    /// In bytes.
    private static let maximumMemory: UInt = 256 << 20

    /// Call it while the process has one thread.
    /// - Parameters:
    ///   - isThorough: see `CodeReader`.
    ///   - body: gets the content of each code while the picture is decoded.
    package static func read(
        _ bytes: [UInt8], _ format: PictureFormat, isThorough: Bool = true, _ body: ([UInt8]) -> Void
    ) throws(ScanError) {
        var ends: [Int32] = [0, 0]
        guard unsafe fork_pipe(&ends) == 0 else {
            throw .noDecoder(errno: errno)
        }
        let (reading, writing) = (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
        let child = fork_process()
        if child == 0 { decode(bytes, format, isThorough, to: writing) }
        let failure = errno
        close(writing.number)
        guard child > 0 else {
            close(reading.number)
            throw .noDecoder(errno: failure)
        }
        var report = DecoderReport.Reader()
        let failed = Self.receive(from: reading, into: &report, body)
        // A child that still writes ends with SIGPIPE.
        close(reading.number)
        let status = fork_wait(child)
        if let failed { throw .noDecoder(errno: failed) }
        guard report.count <= DecoderReport.maximumLength else {
            throw .tooMuchText(limit: DecoderReport.maximumLength)
        }
        let isWhole = try converting(ScanError.picture, report.end(format))
        guard status == 0, isWhole else { throw .decoderFailed(signal: max(0, status) & 0x7f) }
    }

    /// - Returns: errno if the pipe can't be read.
    private static func receive(
        from pipe: FileDescriptor, into report: inout DecoderReport.Reader, _ body: ([UInt8]) -> Void
    ) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while report.count <= DecoderReport.maximumLength {
            let count: Int
            do throws(FileError) {
                count = try buffer.withMutableRawSpan { span throws(FileError) in
                    try pipe.read(into: &span, in: 0..<span.byteCount)
                }
            } catch { return error.number }
            guard count > 0 else { return nil }
            report.add(buffer[..<count], body)
        }
        return nil
    }

    /// Runs in the child.
    private static func decode(
        _ bytes: [UInt8], _ format: PictureFormat, _ isThorough: Bool, to pipe: FileDescriptor
    ) -> Never {
        OpenFile.closeAll(except: [pipe.number])
        for stream in STDIN_FILENO...STDERR_FILENO where stream != pipe.number { close(stream) }
        // A closed pipe ends this process.
        signal(SIGPIPE, SIG_DFL)
        guard fork_limit(format == .png ? maximumAnimationTime : maximumTime, maximumMemory) == 0,
            (try? Confinement.tighten(to: .decoder)) != nil
        else {
            fork_exit(1)
        }
        do throws(PictureError) {
            try CodeReader(isThorough: isThorough).read(bytes, format) {
                write(DecoderReport.code($0), to: pipe)
            }
            write(DecoderReport.end(nil), to: pipe)
        } catch { write(DecoderReport.end(error), to: pipe) }
        fork_exit(0)
    }

    private static func write(_ bytes: [UInt8], to pipe: FileDescriptor) {
        do throws(FileError) { try unsafe pipe.write(bytes.span.bytes) } catch { fork_exit(1) }
    }
}
