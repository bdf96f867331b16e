/// The output of a program at a terminal that marks pasted text on request (bracketed paste).
public struct ShownOutput: Sendable {
    private static let on = Array("\u{1b}[?2004h".utf8)
    private static let off = Array("\u{1b}[?2004l".utf8)

    /// The output without the requests, which show nothing.
    public private(set) var bytes: [UInt8] = []
    /// Whether the terminal marks pasted text now.
    public private(set) var marksPastes = false
    /// The number of requests to mark pasted text no longer.
    public private(set) var endCount = 0

    public init() {}

    public mutating func append(_ new: some Sequence<UInt8>) {
        // The start of a request may have arrived before.
        var start = max(0, bytes.count - Self.on.count)
        bytes += new
        while start + Self.on.count <= bytes.count {
            guard bytes[start] == Self.on[0] else {
                start += 1
                continue
            }
            let range = start..<(start + Self.on.count)
            let (isOn, isOff) = (bytes[range].elementsEqual(Self.on), bytes[range].elementsEqual(Self.off))
            if isOn || isOff {
                marksPastes = isOn
                if isOff { endCount += 1 }
                bytes.removeSubrange(range)
            } else {
                start += 1
            }
        }
    }
}
