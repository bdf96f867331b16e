import CLibraries

/// Why compressed bytes are refused.
package enum InflateError: Error, Equatable {
    /// Not a stream of the format, or one that ends too early.
    case invalid
    case trailingBytes(count: Int)
    case tooLong(limit: Int)
}

/// Compresses and inflates whole streams.
package enum Deflate {
    package enum Format {
        /// RFC 1950, with a header and a checksum: packed transactions and PNG.
        case zlib
        /// RFC 1951, without either: signing requests.
        case raw

        /// zlib's parameter: the binary logarithm of the window; negative without a header.
        fileprivate var windowBits: Int32 {
            switch self {
            case .zlib: 15
            case .raw: -15
            }
        }
    }

    /// Inflates one whole stream. The output stays below the limit, whatever the stream claims.
    package static func inflate(_ bytes: [UInt8], _ format: Format, limit: Int) throws(InflateError)
        -> [UInt8]
    {
        // zlib keeps the stream's address between calls, so the stream is allocated separately.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        defer { unsafe stream.deallocate() }
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, format.windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw .invalid
        }
        defer { unsafe inflateEnd(stream) }
        guard let length = UInt32(exactly: bytes.count) else { throw .invalid }
        var input = bytes
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        let (status, unread) = try unsafe input.withUnsafeMutableBufferPointer { input throws(InflateError) in
            unsafe stream.pointee.next_in = input.baseAddress
            unsafe stream.pointee.avail_in = length
            var status = Z_OK
            while status == Z_OK {
                let count = unsafe chunk.withUnsafeMutableBufferPointer { chunk in
                    unsafe stream.pointee.next_out = chunk.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(chunk.count)
                    status = unsafe CLibraries.inflate(stream, Z_NO_FLUSH)
                    return unsafe chunk.count - Int(stream.pointee.avail_out)
                }
                guard output.count + count <= limit else { throw .tooLong(limit: limit) }
                output += chunk[..<count]
            }
            return unsafe (status, Int(stream.pointee.avail_in))
        }
        // Z_BUF_ERROR: the stream ends too early. Z_DATA_ERROR and Z_NEED_DICT: the bytes are not a
        // usable stream.
        guard status == Z_STREAM_END else { throw .invalid }
        guard unread == 0 else { throw .trailingBytes(count: unread) }
        return output
    }

    /// Compresses at most 4 GiB, as far as zlib can.
    package static func compress(_ bytes: [UInt8], _ format: Format) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        defer { unsafe stream.deallocate() }
        let begun = unsafe deflateInit2_(
            stream, Z_BEST_COMPRESSION, Z_DEFLATED, format.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(begun == Z_OK, "zlib needs 256 KiB of memory")
        defer { unsafe deflateEnd(stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: unsafe Int(deflateBound(stream, UInt(bytes.count))))
        let status = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.pointee.next_in = input.baseAddress
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                return unsafe deflate(stream, Z_FINISH)
            }
        }
        precondition(status == Z_STREAM_END, "deflateBound is the size that deflate needs")
        return unsafe Array(output.prefix(output.count - Int(stream.pointee.avail_out)))
    }
}
