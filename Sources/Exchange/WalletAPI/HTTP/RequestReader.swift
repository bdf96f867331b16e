import Codecs
import SecureMemory

/// Reads the requests of a connection from bytes in any parts.
///
/// The bytes stay in guarded memory of the caller. The reader copies an incomplete header to
/// guarded memory, and a body to where `RequestHead.bodyKind` says. It reads one request at a time.
/// The caller keeps the rest of the bytes until the request is answered:
/// ```swift
/// // Given bytes: RawSpan
/// var reader = RequestReader()
/// var offset = 0
/// switch try reader.read(bytes, from: &offset) {
/// case .more: print("read more bytes")
/// case .expectsContinue: print("send WalletAnswer.continueLine")
/// case .request(let request): print(request.head.target)
/// }
/// ```
package struct RequestReader: ~Copyable {
    /// The most bytes of a header, and the most lines after the request line.
    package static let maximumHeader = 8 << 10
    package static let maximumLineCount = 64

    package enum Step: ~Copyable {
        /// All bytes were read, and the request is not complete.
        case more
        /// The client waits for `100 Continue`. Then the body follows.
        case expectsContinue
        case request(ReceivedRequest)
    }

    private var scanner = HeaderScanner()
    /// The part of a header that has arrived.
    private var header: SecureBytes?
    private var head: RequestHead?
    private var body = RequestBody.discarded
    /// The number of bytes of the body that have arrived.
    private(set) var bodyCount = 0

    package init() {}

    /// True before the first byte of a request.
    package var isIdle: Bool { scanner.count == 0 }

    /// True if the header is complete, and the body is not.
    package var isInBody: Bool { head != nil }

    /// Reads up to the end of a request.
    /// - Parameter offset: the first byte to read; then the byte after the last one that was read.
    /// - Throws: `RequestFault`. The reader must not be used again.
    package mutating func read(_ bytes: RawSpan, from offset: inout Int) throws(RequestFault) -> Step {
        if head == nil {
            guard let read = try readHead(bytes, from: &offset) else { return .more }
            try begin(read)
            if read.expectsContinue, read.bodyLength > 0 { return .expectsContinue }
        }
        guard let head else { return .more }
        let count = min(head.bodyLength - bodyCount, bytes.byteCount - offset)
        body.add(bytes.extracting(offset..<offset + count), at: bodyCount)
        bodyCount += count
        offset += count
        guard bodyCount == head.bodyLength else { return .more }
        var body = RequestBody.discarded
        swap(&body, &self.body)
        (self.head, bodyCount, scanner) = (nil, 0, HeaderScanner())
        return .request(ReceivedRequest(head: head, body: body))
    }

    /// - Returns: nil if the header is not complete.
    private mutating func readHead(
        _ bytes: RawSpan, from offset: inout Int
    ) throws(RequestFault) -> RequestHead? {
        let (start, before) = (offset, scanner.count)
        let isWhole = try scanner.readHeader(bytes, from: &offset)
        let part = bytes.extracting(start..<offset)
        if isWhole, before == 0 { return try RequestHead(reading: part) }
        guard !part.isEmpty else { return nil }
        var header: SecureBytes
        if let known = self.header.take() {
            header = known
        } else {
            header = try converting(RequestFault.memory, SecureBytes(count: Self.maximumHeader))
        }
        header.withMutableBytes { $0.copy(part, to: before) }
        guard isWhole else {
            self.header = consume header
            return nil
        }
        let count = scanner.count
        return try header.withBytes { span throws(RequestFault) in
            try RequestHead(reading: span.extracting(0..<count))
        }
    }

    private mutating func begin(_ head: RequestHead) throws(RequestFault) {
        guard head.bodyLength <= head.bodyKind.maximumLength else { throw .bodyTooLong }
        switch head.bodyKind {
        case .plain: body = .plain([])
        case .secret:
            body = .secret(try converting(RequestFault.memory, SecureBytes(count: head.bodyLength)))
        case .discarded: body = .discarded
        }
        self.head = head
    }
}

/// A complete request.
package struct ReceivedRequest: ~Copyable {
    package let head: RequestHead
    private let body: RequestBody

    fileprivate init(head: RequestHead, body: consuming RequestBody) {
        self.head = head
        self.body = body
    }

    package consuming func takeBody() -> RequestBody { body }
}

/// The body of a request, in the memory that its path requires.
package enum RequestBody: ~Copyable {
    case plain([UInt8])
    case secret(SecureBytes)
    case discarded

    fileprivate mutating func add(_ part: RawSpan, at offset: Int) {
        guard !part.isEmpty else { return }
        switch consume self {
        case .plain(var bytes):
            unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            self = .plain(bytes)
        case .secret(var bytes):
            bytes.withMutableBytes { $0.copy(part, to: offset) }
            self = .secret(bytes)
        case .discarded: self = .discarded
        }
    }
}

extension MutableRawSpan {
    fileprivate mutating func copy(_ source: RawSpan, to offset: Int) {
        for index in 0..<source.byteCount { self[byte: offset + index] = source[byte: index] }
    }
}
