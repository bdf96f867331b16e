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
    /// The parts of a BBQr message contradict each other.
    private var isContradictory = false
    /// A code or a complete message is damaged.
    private var isDamaged = false
    private var resources = URCollector()
    private var assemblies: [BBQrAssembly] = []

    package init() {}

    /// Adds the content of a code.
    package mutating func add(_ code: [UInt8]) {
        count += 1
        do throws(CodeSequenceError) { return try add(BBQrPart(code)) } catch {
            // A code that begins as BBQr is nothing else.
            if error != .bbqr(.notBBQr) { return isDamaged = true }
        }
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

    private mutating func add(_ part: BBQrPart) {
        var assembly = BBQrAssembly(part)
        if let known = assemblies.firstIndex(where: { $0.header == part.header }) {
            var old = assemblies.remove(at: known)
            do throws(CodeSequenceError) {
                try old.add(part)
                assembly = old
            } catch {
                // The parts of another message, which may be shown now, replace the old ones.
                isContradictory = true
            }
        } else if assemblies.count == Self.maximumCount,
            let fewest = assemblies.indices.min(by: { assemblies[$0].known < assemblies[$1].known })
        {
            assemblies.remove(at: fewest)
        }
        assemblies.append(assembly)
        do throws(CodeSequenceError) {
            if let bytes = try assembly.message() { keep(.bbqr(bytes, fileType: part.header.fileType)) }
        } catch { isDamaged = true }
    }

    private mutating func keep(_ message: ScannedMessage) {
        if !messages.contains(message), messages.count < Self.maximumCount { messages.append(message) }
    }

    /// How many codes are missing at least, and how many the message has, of the message that is
    /// most complete; nil if no part is known.
    package var missing: (codes: Int, total: Int)? {
        let counts =
            resources.assemblies.map { (codes: $0.missing, total: Int($0.header.count)) }
            + assemblies.map { (codes: $0.missing, total: $0.header.count) }
        return counts.filter { $0.codes > 0 }.min { $0.codes < $1.codes }
    }

    /// The only complete message. A single code with other text counts if there is no message.
    /// - Throws: `contradiction`, `severalMessages`, `damagedMessage`, `incomplete`, `noCode`.
    package func result() throws(ScanError) -> ScannedMessage {
        if messages.count > 1 { throw .severalMessages(messages.map(\.description)) }
        if let message = messages.first { return message }
        if isContradictory { throw .contradiction }
        if let missing { throw .incomplete(missing: missing.codes, total: missing.total) }
        if isDamaged { throw .damagedMessage }
        guard let other = others.first else { throw .noCode }
        guard others.count == 1 else {
            throw .severalMessages(others.map { ScannedMessage.text($0).description })
        }
        return .text(other)
    }
}
