import Files
import Glibc
import Scanning
import Shell

/// Reads pictures until they are all read, or until a message is complete.
final class ScanSession {
    /// The most bytes of a picture file.
    private static let maximumSize = 32 << 20
    private static let shownFailures = 10
    /// How the names of pictures in a folder end.
    private static let endings = [".png", ".jpg", ".jpeg"]
    /// Between two looks at a folder, in microseconds.
    private static let pause: UInt32 = 250_000

    private(set) var collector = ScanCollector()
    private(set) var pictures = 0
    /// The pictures that could not be read.
    private var failures: [ScanFailure] = []
    private let progress = ScanProgress()

    // MARK: files

    /// Reads all pictures, and then decides.
    func read(_ paths: [String]) throws -> ScannedMessage {
        defer { progress.clear() }
        for path in paths {
            let files = try files(in: path)
            guard !files.isEmpty else { throw ScanFailure.noPictures(path) }
            let isNamed = files == [path]
            for file in files {
                do throws(ScanFailure) { try read(file: file, waits: isNamed) } catch {
                    switch error {
                    case .picture: failures.append(error)
                    case .unreadable where !isNamed: failures.append(error)
                    default: throw error
                    }
                }
            }
        }
        progress.clear()
        return try result()
    }

    /// A picture that can't be read does not end the scan: the others may be enough.
    private func result() throws -> ScannedMessage {
        guard collector.count > 0 || failures.count != 1 else { throw failures[0] }
        for failure in failures.prefix(Self.shownFailures) { Messages.warning(failure.words.message) }
        if failures.count > Self.shownFailures {
            Messages.warning("\(failures.count - Self.shownFailures) more pictures can't be read")
        }
        do throws(ScanError) { return try collector.result() } catch { throw ScanFailure.scan(error) }
    }

    /// Reads a folder again and again until a message is complete. A file that changes is read
    /// again.
    func watch(_ folder: String) throws -> ScannedMessage {
        defer { progress.clear() }
        guard try Self.status(folder).kind == .directory else { throw ScanFailure.notFolder(folder) }
        var versions: [String: FileStatus] = [:]
        while true {
            for file in try files(in: folder) {
                // The camera program may remove or rename a file at any time.
                guard let status = try? Self.status(file), versions[file] != status else { continue }
                versions[file] = status
                do throws(ScanFailure) { try read(file: file, waits: false) } catch {
                    switch error {
                    case .picture, .unreadable: continue
                    default: throw error
                    }
                }
                if !collector.messages.isEmpty { return try result() }
            }
            progress.show(pictures, collector, waiting: true)
            usleep(Self.pause)
        }
    }

    /// A file, or the pictures in a folder.
    private func files(in path: String) throws -> [String] {
        guard path != "-", try Self.status(path).kind == .directory else { return [path] }
        let names: [String]
        do throws(FileError) { names = try Folder.names(in: path) } catch {
            throw ScanFailure.unreadable(path, errno: error.number)
        }
        return names.filter { name in
            Self.endings.contains { name.lowercased().hasSuffix($0) } && !name.hasPrefix(".")
        }.map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }.filter { file in
            // A link that leads out of the folder can't be inspected in the sandbox. Reading it
            // reports the reason.
            (try? Self.status(file).kind).map { $0 == .regular } ?? true
        }
    }

    private static func status(_ path: String) throws(ScanFailure) -> FileStatus {
        do throws(FileError) { return try FileStatus(of: path, followingLinks: true) } catch {
            throw .unreadable(path, errno: error.number)
        }
    }

    /// - Parameter waits: true to wait for the other end of a pipe.
    private func read(file path: String, waits: Bool) throws(ScanFailure) {
        let bytes: [UInt8]
        do throws(FileError) {
            if path == "-" {
                bytes = try FileDescriptor.standardInput.bytesToEnd(atMost: Self.maximumSize)
            } else {
                bytes = try OpenFile(path, waits: waits).withDescriptor { file throws(FileError) in
                    try file.bytesToEnd(atMost: Self.maximumSize)
                }
            }
        } catch { throw .unreadable(path, errno: error.number) }
        pictures += 1
        guard bytes.count <= Self.maximumSize else { throw .picture(path, .tooLong(limit: Self.maximumSize)) }
        guard !bytes.isEmpty else { throw .picture(path, .empty) }
        let format: PictureFormat
        do throws(PictureError) { format = try PictureFormat(of: bytes) } catch {
            throw .picture(path, .scan(.picture(error)))
        }
        do throws(ScanError) { try DecoderProcess.read(bytes, format, add) } catch {
            throw .picture(path, .scan(error))
        }
    }

    // MARK: camera

    func read(camera device: String) throws -> ScannedMessage {
        do throws(ScanError) {
            var camera = try Camera(device)
            return try read(&camera)
        } catch { throw ScanFailure.device(device, error) }
    }

    /// Reads frames until a message is complete. Frames that can't be decoded are ignored: a camera
    /// often delivers a damaged one.
    private func read(_ source: inout some FrameSource & ~Copyable) throws(ScanError) -> ScannedMessage {
        defer { progress.clear() }
        while collector.messages.isEmpty, let frame = try source.next() {
            pictures += 1
            do throws(ScanError) {
                try DecoderProcess.read(frame.bytes, frame.format, isThorough: false, add)
            } catch {
                guard case .picture = error else { throw error }
            }
        }
        return try collector.result()
    }

    private func add(_ code: [UInt8]) {
        collector.add(code)
        progress.show(pictures, collector, waiting: false)
    }
}
