import AirGap
import ArgumentParser
import Files
import Hardening
import JSON
import Keys
import Shell
import SigningRequests
import Transactions

/// Where a signed transaction goes, and in which form.
package struct SignedOutput: ParsableArguments {
    package init() {}

    package enum Format: String, ExpressibleByArgument, CaseIterable {
        case json, packed, signatures, request, callback
    }

    @Option(
        help: """
            The output: json as cleos writes it, packed for /v1/chain/send_transaction, or signatures, one per line. \
            For a signing request also request, the transaction and the callback's payload as JSON, or callback, the \
            address of the callback with the result in it (default: json; for a signing request, request).
            """)
    package var format: Format?

    @OptionGroup package var file: OutputOption

    /// Refuses options that `--lines` can't use.
    package func expectLines(_ input: ReviewInput, _ qr: QROptions, expect: String?) throws {
        if expect != nil { throw ValidationError("--lines signs many transactions: omit --expect") }
        if format != nil, format != .packed {
            throw ValidationError("--lines prints JSON lines: omit --format, or give --format packed")
        }
        try input.expectLines()
        if qr.makesCodes { throw ValidationError("--lines prints its results: omit --qr and --qr-file") }
        if file.output != nil {
            throw ValidationError("--lines prints its results: redirect standard output, omit --output")
        }
    }

    /// Refuses a format that needs a signing request, or its callback. Call it before any question.
    /// - Parameter request: nil for a transaction.
    package func expectFormat(for request: RequestReview?) throws {
        switch format {
        case nil, .json, .packed, .signatures: return
        case .request, .callback:
            let name = "--format \(format?.rawValue ?? "")"
            guard let request else { throw ValidationError("\(name) is for signing requests") }
            guard format == .request || request.callback != nil else {
                throw ValidationError("the signing request has no callback: omit \(name)")
            }
        }
    }

    /// True if a code shows the transaction or its signatures. Otherwise it shows the result for
    /// the sender of a signing request.
    package func showsTransaction(of request: RequestReview?) -> Bool {
        switch format {
        case .json, .packed, .signatures: true
        case nil, .request: request?.link.request.flags.contains(.broadcast) ?? true
        case .callback: false
        }
    }

    /// - Parameters:
    ///   - signatures: the signatures that the format `signatures` prints; nil for all.
    ///   - request: the signing request that the transaction comes from.
    ///   - isNew: true if a signature was made, which an error must mention.
    package func write(
        _ signed: SignedTransaction, only signatures: @autoclosure () -> [Signature]? = nil,
        for request: RequestReview? = nil, isNew: Bool = false,
        to file: NewFile?
    ) throws {
        let text =
            switch format ?? (request == nil ? .json : .request) {
            case .request:
                Printable.json(
                    request.map { RequestReview.answer.json(($0, signed, signatures() ?? [])) } ?? .null,
                    .pretty)
                    + "\n"
            case .callback: (request?.filledCallback(signatures() ?? []) ?? "") + "\n"
            case .json: Printable.json(signed.json, .pretty) + "\n"
            case .packed: Printable.json(signed.packedJSON, .pretty) + "\n"
            case .signatures: (signatures() ?? signed.signatures).map { $0.text + "\n" }.joined()
            }
        try self.file.write(text, isNew ? .signature : nil, to: file)
        if let file { Messages.note(Words.wrote(file.path)) }
    }
}

// MARK: - codes

extension SignedOutput {
    /// The content for --qr: the text for a phone, the whole transaction, or only the signatures.
    package func qrContent(
        of signed: SignedTransaction, _ signatures: [Signature], _ asked: RequestReview?, chain: ChainID
    ) throws -> QRContent {
        if !showsTransaction(of: asked), let text = asked?.scannedText(signatures) {
            return QRContent(text: text)
        }
        guard format == .signatures else {
            return try QRContent(.transaction(TransactionMessage(chain: chain, transaction: signed)))
        }
        return try QRContent(
            .signatures(SignaturesMessage(chain: chain, transaction: signed, signatures: signatures)))
    }

    /// A content of the size of the result, before the signatures are made.
    /// - Parameters:
    ///   - signatures: that the transaction has already.
    ///   - count: of the signatures to make.
    package func expectedContent(
        of transaction: SignedTransaction, _ signatures: [Signature], missing count: Int,
        _ asked: RequestReview?, chain: ChainID
    ) throws -> QRContent {
        var (signed, signatures) = (transaction, signatures)
        for _ in 0..<count {
            let signature = try Signature(
                kind: .k1, body: [UInt8](repeating: 31, count: Signature.compactSize))
            signatures.append(signature)
            signed.append(signature)
        }
        let content = try qrContent(of: signed, signatures, asked, chain: chain)
        return content.message == nil ? QRContent(anyTextLike: content.text) : content
    }
}
