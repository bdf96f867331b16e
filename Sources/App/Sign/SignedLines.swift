import JSON
import Keys
import Shell
import Transactions

/// The lines that `sign --lines` prints, and the exit status after them.
package struct SignedLines {
    /// A line. It is written as text, because a batch has many lines.
    static let shape: JSONShape = [
        "line": .number("the number of the line, from 1"), "id?": .any("the text or the integer of the line"),
        "transaction_id?": .text("the signed transaction"),
        "signatures?": .list(of: .text, "all signatures of the transaction"),
        "already?": .boolean("true: this vault made these signatures before"),
        "packed?": .object(
            [
                "signatures": .list(of: .text, "the signatures"), "compression": .text("none"),
                "packed_context_free_data": .text("in hex"), "packed_trx": .text("in hex"),
            ], "with --format packed: the signed transaction for /v1/chain/send_transaction"),
        "error?": .object(.error, "why the line was refused"),
    ]

    /// True to print each signed transaction as packed JSON too.
    private let printsPacked: Bool
    private var text: [UInt8] = []
    private var failures = FailureKinds()

    package init(printsPacked: Bool) { self.printsPacked = printsPacked }

    /// Prints the lines that are complete.
    package mutating func print() throws(Output.Failure) {
        try Output.data(text)
        text.removeAll(keepingCapacity: true)
    }

    /// Nil if no line was refused.
    package func status(hasSigned: Bool) -> ExitStatus? { failures.status(hasSigned: hasSigned) }

    /// Adds `{"line": LINE, "id": …`.
    package mutating func begin(line: Int, _ id: JSONValue?) {
        text += "{\"line\":\(line),".utf8
        if let id { text += "\"id\":\(Printable.json(id)),".utf8 }
    }

    /// Adds `"transaction_id": …, "signatures": […]`, and other members if they apply. None of
    /// these texts needs an escape in JSON.
    package mutating func end(_ signed: SignedTransaction, already: Bool) {
        let signatures = signed.signatures.map { "\"\($0.text)\"" }.joined(separator: ",")
        text += "\"transaction_id\":\"\(signed.id)\",\"signatures\":[\(signatures)]".utf8
        text += (already ? ",\"already\":true" : "").utf8
        if printsPacked { text += ",\"packed\":\(Printable.json(signed.packedJSON))".utf8 }
        text += "}\n".utf8
    }

    /// Adds `"error": {"code", "message", "hint"}}`.
    package mutating func end(_ error: any Error) {
        let words = Words(ofLine: error)
        failures.add(words.code)
        text += "\"error\":\(Printable.json(words.json))}\n".utf8
    }
}

/// The kinds of refused lines.
private struct FailureKinds {
    private var isRefused = false
    private var isFailed = false

    mutating func add(_ code: ErrorCode) {
        if ExitStatus(after: code) == .refused { isRefused = true } else { isFailed = true }
    }

    /// nil if no line was refused.
    func status(hasSigned: Bool) -> ExitStatus? {
        isFailed || isRefused && hasSigned ? .failed : isRefused ? .refused : nil
    }
}
