import CFork
import Files
import Glibc
import Pictures
import Sandbox

/// Finds the codes of each picture in a process of its own, which ends after the picture.
///
/// Libraries for pictures had faults that a picture could use to run code. The process has the
/// picture in its memory, can write to one pipe, and can open nothing. Its memory and its processor
/// time are limited.
package enum DecoderProcess {
    /// In seconds.
    private static let maximumTime: UInt = 60
    /// In bytes.
    private static let maximumMemory: UInt = 256 << 20

    /// Call it while the process has one thread.
    /// - Parameter isThorough: see `CodeReader`.
    /// - Returns: the contents of the codes.
    package static func codes(
        in bytes: [UInt8], _ format: PictureFormat, isThorough: Bool = true
    ) throws(ScanError) -> [[UInt8]] {
        var ends: [Int32] = [0, 0]
        guard unsafe fork_pipe(&ends) == 0 else {
            throw .noDecoder(errno: errno)
        }
        let (reading, writing) = (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
        let child = fork_process()
        if child == 0 { decode(bytes, format, isThorough, to: writing) }
        let failure = errno
        close(writing.number)
        defer { close(reading.number) }
        guard child > 0 else { throw .noDecoder(errno: failure) }
        let report: [UInt8]
        do throws(FileError) { report = try reading.bytesToEnd(atMost: DecoderReport.maximumLength) } catch {
            throw .noDecoder(errno: error.number)
        }
        // A child that still writes ends with EPIPE.
        if report.count > DecoderReport.maximumLength { close(reading.number) }
        let status = fork_wait(child)
        guard report.count <= DecoderReport.maximumLength else {
            throw .tooMuchText(limit: DecoderReport.maximumLength)
        }
        let codes: [[UInt8]]?
        do throws(PictureError) { codes = try DecoderReport.read(report, format) } catch { throw .picture(error) }
        guard status == 0, let codes else { throw .decoderFailed(signal: max(0, status) & 0x7f) }
        return codes
    }

    /// The life of the child.
    private static func decode(
        _ bytes: [UInt8], _ format: PictureFormat, _ isThorough: Bool, to pipe: FileDescriptor
    ) -> Never {
        OpenFile.closeAll(except: [pipe.number])
        for stream in STDIN_FILENO...STDERR_FILENO where stream != pipe.number { close(stream) }
        // A closed pipe ends this process.
        signal(SIGPIPE, SIG_DFL)
        guard fork_limit(maximumTime, maximumMemory) == 0, (try? Confinement.tighten(to: .decoder)) != nil else {
            fork_exit(1)
        }
        do throws(PictureError) {
            try CodeReader(isThorough: isThorough).read(bytes, format) { write(DecoderReport.code($0), to: pipe) }
            write(DecoderReport.end(nil), to: pipe)
        } catch { write(DecoderReport.end(error), to: pipe) }
        fork_exit(0)
    }

    private static func write(_ bytes: [UInt8], to pipe: FileDescriptor) {
        do throws(FileError) { try unsafe pipe.write(bytes.span.bytes) } catch { fork_exit(1) }
    }
}
