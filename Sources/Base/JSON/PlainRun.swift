/// Finds the end of a run of characters that need no escape in a JSON string, eight bytes at a
/// time.
@usableFromInline
enum PlainRun {
    /// The top bit of each byte that ends a run: a quote, a backslash, a control character, DEL, or
    /// a byte of a longer UTF-8 sequence. Bits above the lowest set bit may be wrong, because a
    /// borrow of the subtractions can reach them.
    @inlinable @inline(__always)
    static func endMask(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        let quotes = word ^ (ones &* 0x22)
        let slashes = word ^ (ones &* 0x5c)
        let zeros = ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
        let controls = (word &- ones &* 0x20) & ~word
        // Of the bytes below 0x80, only DEL gets the top bit by adding one.
        let deletes = word &+ ones
        return (zeros | controls | deletes | word) & tops
    }
}
