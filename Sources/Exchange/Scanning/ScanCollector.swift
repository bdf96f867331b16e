import AirGap

/// Collects the texts of codes, in any order, until a message is complete.
///
/// Codes of other messages, other codes and repetitions do no harm: parts are collected for each
/// message on its own, for at most eight at once.
package struct ScanCollector: Sendable {
    private static let maximumCount = 8

    /// Complete messages in the order in which they became complete, without repetitions.
    package private(set) var messages: [ScannedMessage] = []
    /// The texts of codes that are neither a part of a message nor a text that `eosvault` reads.
    package private(set) var others: [[UInt8]] = []
    /// The codes that were read, with repetitions.
    package private(set) var count = 0
    /// A code or a complete message is damaged.
    private var isDamaged = false
    private var resources = URCollector()

    package init() {}

    /// Adds the content of a code.
    package mutating func add(_ code: [UInt8]) {
        count += 1
        do throws(CodeSequenceError) {
            if let resource = try resources.add(code) { keep(.resource(resource)) }
        } catch {
            switch error {
            case .resource(.notUR): addText(code)
            default: isDamaged = true
            }
        }
    }

    private mutating func addText(_ code: [UInt8]) {
        if PlainCode.isKnown(code) { keep(.text(code)) } else { addOther(code) }
    }

    private mutating func addOther(_ code: [UInt8]) {
        if !others.contains(code), others.count < Self.maximumCount { others.append(code) }
    }

    private mutating func keep(_ message: ScannedMessage) {
        if !messages.contains(message), messages.count < Self.maximumCount { messages.append(message) }
    }

    /// How many codes are missing at least, and how many the message has, of the message that is
    /// most complete; nil if no part is known.
    package var missing: (codes: Int, total: Int)? {
        resources.assemblies.map { (codes: $0.missing, total: Int($0.header.count)) }
            .filter { $0.codes > 0 }.min { $0.codes < $1.codes }
    }

    /// The only complete message. A single code with other text counts if there is no message.
    /// - Throws: `severalMessages`, `damagedMessage`, `incomplete`, `noCode`.
    package func result() throws(ScanError) -> ScannedMessage {
        if messages.count > 1 { throw .severalMessages(messages.map(\.description)) }
        if let message = messages.first { return message }
        if let missing { throw .incomplete(missing: missing.codes, total: missing.total) }
        if isDamaged { throw .damagedMessage }
        guard let other = others.first else { throw .noCode }
        guard others.count == 1 else {
            throw .severalMessages(others.map { ScannedMessage.text($0).description })
        }
        return .text(other)
    }
}
