import CZlib

/// Inflates the zlib streams of packed transactions.
enum Compression {
    /// The maximum that nodeos inflates, separately for the transaction and for its context-free
    /// data (`read_limiter<1*1024*1024>` in AntelopeIO/spring, libraries/chain/transaction.cpp).
    static let maximumInflated = 1 << 20

    /// Inflates one whole zlib stream. The output stays below the limit, whatever the stream
    /// claims.
    static func inflate(_ bytes: [UInt8]) throws(TransactionError) -> [UInt8] {
        // zlib keeps the stream's address between calls, so the stream is allocated separately.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        defer { unsafe stream.deallocate() }
        guard unsafe inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .invalidZlib
        }
        defer { unsafe inflateEnd(stream) }
        guard let length = UInt32(exactly: bytes.count) else { throw .invalidZlib }
        var input = bytes
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        let (status, unread) = try unsafe input.withUnsafeMutableBufferPointer { input throws(TransactionError) in
            unsafe stream.pointee.next_in = input.baseAddress
            unsafe stream.pointee.avail_in = length
            var status = Z_OK
            while status == Z_OK {
                let count = unsafe chunk.withUnsafeMutableBufferPointer { chunk in
                    unsafe stream.pointee.next_out = chunk.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(chunk.count)
                    status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                    return unsafe chunk.count - Int(stream.pointee.avail_out)
                }
                guard output.count + count <= maximumInflated else { throw .inflatedTooLong(limit: maximumInflated) }
                output += chunk[..<count]
            }
            return unsafe (status, Int(stream.pointee.avail_in))
        }
        // Z_BUF_ERROR: the stream ends too early. Z_DATA_ERROR and Z_NEED_DICT: the bytes are not a
        // usable stream.
        guard status == Z_STREAM_END else { throw .invalidZlib }
        guard unread == 0 else { throw .zlibTrailingBytes(count: unread) }
        return output
    }
}
