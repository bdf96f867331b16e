import JSON
import Messages
import SecureMemory
import WalletAPI

/// The bytes of a connection get decided answers, which do not depend on where the bytes are split.
/// Each answer is HTTP with JSON. Only requests of the right form reach the vault.
public enum WalletRequestLaw: Law {
    public static let name = "WalletRequest"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let recorded = try JSONValue.parse(Vectors.file("Vectors/agent/exchanges.json"))
        let requests = ["exchanges", "http"].flatMap { recorded[$0]?.array ?? [] }
        return ownCalls + requests.compactMap { $0["request"]?.string.map(bytes) }
            + (recorded["bodies"]?.array ?? []).compactMap { row in
                guard let path = row["path"]?.string, let body = row["body"]?.string.map(bytes) else {
                    return nil
                }
                return Array("POST \(path) HTTP/1.1\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
            }
    }

    /// Requests of the agent's own calls, and an answer.
    private static let ownCalls: [[UInt8]] =
        [
            (WalletCall.agentStatus, ""), (.agentUnlock, #"{"pin":"123456","key_file":"00ff"}"#),
            (.agentUnlock, #"{"recovery":"abandon able"}"#),
            (
                .agentSign,
                #"{"transaction":{"actions":[]},"chain":"eos","keys":["a"],"abis":[{"account":"b","abi":{}}]}"#
            ),
            (.agentSign, #"{"transaction":"00","chain":"eos","blind":["a::b"],"refuse":["c"],"login":3}"#),
            (
                .credentialSign,
                #"{"credential":"a","request":{"method":"GET","url":"https://a.b/"},"window":1,"keep_body":true}"#
            ),
        ].map { call, body in call.header(bodyCount: body.utf8.count) + Array(body.utf8) }
        + [WalletAnswer(unlockedFor: 900, keyCount: 1).bytes(to: nil, closes: true)]

    /// The recorded texts have one character for each byte.
    private static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        try checkReading(input)
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

    /// A client reads the same answer from bytes in any parts.
    private static func checkReading(_ input: [UInt8]) throws(LawBroken) {
        func answers(_ pieces: [ArraySlice<UInt8>]) -> [ReceivedAnswer]? {
            var reader = AnswerReader()
            var answers: [ReceivedAnswer] = []
            for piece in pieces {
                do throws(AnswerFault) {
                    if let answer = try reader.add(piece) { answers.append(answer) }
                } catch { return nil }
            }
            return answers
        }
        guard let whole = answers([input[...]]) else { return }
        try law(
            answers(input.indices.map { input[$0...$0] }) == whole, "a split of an answer changes nothing")
    }

    private static func check(_ answer: WalletAnswer) throws(LawBroken) {
        let bytes = answer.bytes(to: nil, closes: false)
        var reader = AnswerReader()
        let read = try must("a client reads an answer") { () throws(AnswerFault) in try reader.add(bytes[...])
        }
        try law(
            read?.status == answer.status.rawValue && read?.body == answer.body, "a client reads the answer")
        let text = text(answer.body)
        try law(
            answer.body.allSatisfy { $0 >= 0x20 && $0 != 0x7f }, "an answer has no control character: \(text)"
        )
        let json = try must("an answer is JSON: \(text)") { try JSONValue.parse(answer.body) }
        guard answer.status.rawValue >= 400 else { return }
        if let code = json["error"]?["code"]?.string {
            let known = ErrorCode.allCases.contains { $0.name == code }
            try law(
                known && json["error"]?["message"]?.string != nil && json["error"]?["hint"]?.string != nil,
                "an error of an own call has a code, a message and a hint: \(text)")
            return
        }
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
