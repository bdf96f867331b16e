import AirGap
import Shell
import Transactions

/// The text of QR codes that another program scanned: one Uniform Resource in each line, in any
/// order, with repetitions.
struct ScannedCodes {
    enum Failure: Error, Equatable {
        /// A line, counted from 1, is not the text of a code, or all parts are known and damaged.
        case line(Int)
        /// The sequence is not complete: at least this many codes are missing.
        case incomplete(missing: Int)
        /// The codes contain different messages.
        case severalMessages
        /// The message is malformed.
        case malformed
        /// This version has no such type of message.
        case unknownType(String)
        /// The message is not a transaction.
        case noTransaction(URType)
    }

    private let lines: [ArraySlice<UInt8>]

    /// - Returns: nil if the text does not begin with `ur:`, in either letter case.
    init?(_ text: [UInt8]) {
        lines = text.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }.map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        let start = String(decoding: text.prefix(3), as: UTF8.self)
        guard start.lowercased() == "ur:" else { return nil }
    }

    /// The transaction in the message. It states its chain, and the ABIs of its sender.
    func transaction() throws(Failure) -> SignedTransaction {
        let content = try message()
        guard case .transaction(let message) = content else { throw .noTransaction(content.type) }
        return message.stated
    }

    /// The signatures in the message; nil for another type of message.
    func signatures() throws(Failure) -> SignaturesMessage? {
        if case .signatures(let message) = try message() { message } else { nil }
    }

    /// The signing request in the message; nil for another type of message.
    func link() throws(Failure) -> String? {
        if case .signingRequest(let message) = try message() { message.link } else { nil }
    }

    private func message() throws(Failure) -> AirGapMessage {
        let resource = try resource()
        do throws(AirGapError) { return try AirGapMessage(resource) } catch {
            if case .unknownType(let name) = error { throw .unknownType(name) }
            throw .malformed
        }
    }

    private func resource() throws(Failure) -> UniformResource {
        var collector = URCollector()
        var message: UniformResource?
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let complete: UniformResource?
            do throws(CodeSequenceError) { complete = try collector.add(line) } catch {
                throw .line(index + 1)
            }
            guard let complete else { continue }
            if let message, message != complete { throw .severalMessages }
            message = complete
        }
        guard let message else {
            throw .incomplete(missing: collector.assemblies.map(\.missing).min() ?? 1)
        }
        return message
    }
}
