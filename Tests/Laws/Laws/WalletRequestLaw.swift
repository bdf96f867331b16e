import JSON
import SecureMemory
import WalletAPI

/// The bytes of a connection get decided answers, which do not depend on where the bytes are split.
/// Each answer is HTTP with JSON. Only requests of the right form reach the vault.
public enum WalletRequestLaw: Law {
    public static let name = "WalletRequest"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let recorded = try JSONValue.parse(Vectors.file("Vectors/agent/exchanges.json"))
        let requests = ["exchanges", "http"].flatMap { recorded[$0]?.array ?? [] }
        return requests.compactMap { $0["request"]?.string.map(bytes) }
            + (recorded["bodies"]?.array ?? []).compactMap { row in
                guard let path = row["path"]?.string, let body = row["body"]?.string.map(bytes) else {
                    return nil
                }
                return Array("POST \(path) HTTP/1.1\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
            }
    }

    /// The recorded texts have one character for each byte.
    private static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        for isUnlocked in [false, true] {
            let whole = Connection(isUnlocked, [input])
            try law(
                whole.output == Connection(isUnlocked, input.map { [$0] }).output, "a split changes nothing")
            let half = input.count / 2
            let parts = [Array(input[..<half]), Array(input[half...])]
            try law(whole.output == Connection(isUnlocked, parts).output, "two parts change nothing")
            for answer in whole.answers { try check(answer) }
        }
    }

    private static func check(_ answer: WalletAnswer) throws(LawBroken) {
        let text = text(answer.body)
        try law(
            answer.body.allSatisfy { $0 >= 0x20 && $0 != 0x7f }, "an answer has no control character: \(text)"
        )
        let json = try must("an answer is JSON: \(text)") { try JSONValue.parse(answer.body) }
        guard answer.status.rawValue >= 400 else { return }
        try law(
            json["code"]?.number == "\(answer.status.rawValue)" && json["message"]?.string != nil,
            "an error has the form of keosd: \(text)")
        try law(json["error"]?["details"]?.array != nil, "an error has details: \(text)")
    }

    /// A connection to a wallet without keys, which does what it is asked.
    private struct Connection {
        var output: [UInt8] = []
        var answers: [WalletAnswer] = []

        init(_ isUnlocked: Bool, _ pieces: [[UInt8]]) {
            let state = WalletState(keys: isUnlocked ? [] : nil, maximumTimeout: 900)
            var reader = RequestReader()
            for piece in pieces {
                var offset = 0
                while offset < piece.count {
                    do throws(RequestFault) {
                        switch try unsafe reader.read(piece.span.bytes, from: &offset) {
                        case .more: break
                        case .expectsContinue: output += WalletAnswer.continueLine
                        case .request(let request):
                            let head = request.head
                            add(state.answer(request) { _ throws(WalletError) in .done }, to: head)
                            guard head.keepsOpen else { return }
                        }
                    } catch {
                        add(error.answer, to: nil)
                        return
                    }
                }
            }
        }

        private mutating func add(_ answer: WalletAnswer, to head: RequestHead?) {
            answers.append(answer)
            output += answer.bytes(to: head, closes: !(head?.keepsOpen ?? false))
        }
    }
}
