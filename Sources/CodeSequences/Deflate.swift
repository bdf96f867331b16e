import CZlib

/// Deflate streams without a zlib header, with the window of 1,024 bytes that BBQr prescribes.
enum Deflate {
    private static let windowBits: Int32 = -10

    /// Inflates one whole stream. The output stays below the limit.
    static func inflate(_ bytes: [UInt8], limit: Int) throws(CodeSequenceError) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        defer { unsafe stream.deallocate() }
        guard unsafe inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .bbqr(.invalidDeflate)
        }
        defer { unsafe inflateEnd(stream) }
        guard let (status, output) = unsafe run(stream, bytes, limit: limit, { unsafe CZlib.inflate($0, Z_NO_FLUSH) })
        else { throw .bbqr(.messageTooLong(limit: limit)) }
        guard status == Z_STREAM_END, unsafe stream.pointee.avail_in == 0 else { throw .bbqr(.invalidDeflate) }
        return output
    }

    /// Compresses bytes; nil if the result has more bytes than `limit`.
    static func compress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        defer { unsafe stream.deallocate() }
        let status = unsafe deflateInit2_(
            stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return nil }
        defer { unsafe deflateEnd(stream) }
        let result = unsafe run(stream, bytes, limit: limit) { unsafe deflate($0, Z_FINISH) }
        return result?.output
    }

    /// Runs steps until one returns something other than `Z_OK`.
    /// - Returns: nil if the output is longer than the limit.
    @unsafe
    private static func run(
        _ stream: UnsafeMutablePointer<z_stream>, _ bytes: [UInt8], limit: Int,
        _ step: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> (status: Int32, output: [UInt8])? {
        var input = bytes
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        return unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe stream.pointee.next_in = input.baseAddress
            unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
            var status = Z_OK
            while status == Z_OK {
                let count = unsafe chunk.withUnsafeMutableBufferPointer { chunk in
                    unsafe stream.pointee.next_out = chunk.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(chunk.count)
                    status = unsafe step(stream)
                    return unsafe chunk.count - Int(stream.pointee.avail_out)
                }
                guard output.count + count <= limit else { return nil }
                output += chunk[..<count]
            }
            return (status, output)
        }
    }
}
