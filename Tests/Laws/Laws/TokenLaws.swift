import Codecs
import Keys
import Tokens

/// A URI of a token: its text is read again as the same URI.
public enum TokenURILaw: Law {
    public static let name = "TokenURI"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        [
            "pkcs11:", "pkcs11:token=treasury;serial=0123;object=cold;id=%01%ff?module-path=/usr/lib/a.so",
            "pkcs11:manufacturer=Yubico%20%28www.yubico.com%29;model=YubiHSM;slot-id=0;type=private",
            "pkcs11:token=one;serial=01;token=two", "pkcs11:object=key%20one;id=%00%01%02",
            "pkcs11:slot-id=18446744073709551615", "pkcs11:token=%c3%a9", "pkcs11:colour=red",
            "pkcs11:?module-path=/usr/lib/module.so", "pkcs11:type=private;id=a%20b",
            "pkcs11:token=one;pin-value=1234", "pkcs11:id=%5A%3b?module-path=%2Fa&pin-source=/pin",
        ].map { Array($0.utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let string = text(input)
        guard let uri = try? TokenURI(string) else { return }
        // Percent signs can make the text longer than a URI may be.
        guard uri.text.utf8.count <= TokenURI.maximumCount else { return }
        let again = try must("its text is read") { try TokenURI(uri.text) }
        try law(again == uri, "its text is the same URI")
    }
}

/// Messages of `eosvault-token`: what is read is written as the same bytes, and a key of a token is
/// a point of its curve.
public enum TokenMessageLaw: Law {
    public static let name = "TokenMessage"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let requests: [TokenRequest] = [
            .load(module: "/a.so", milliseconds: 15000), .list, .open(slot: 3, isWritable: true),
            .login(pinCount: 6), .find(.privateKey, id: [1], label: nil), .object(7),
            .generate(.r1, label: [0x61], id: [1, 2]), .remove(9),
            .sign(key: 1, .r1, digest: [UInt8](repeating: 5, count: 32)), .close,
        ]
        let answers: [TokenAnswer] = [
            .done([1, 2]), .failed(call: "C_Sign", code: 0x32, detail: ""), .timedOut, .ended(signal: 11),
        ]
        let token = TokenFacts(
            slot: 1, label: "a", manufacturer: "b", model: "c", serial: "d", flags: 0x404, signs: true,
            makesKeys: false)
        let point = [0x04, 0x41, 0x04] + [UInt8](repeating: 1, count: 64)
        let object = TokenObject(
            id: [1], label: [0x6b], parameters: Curve.k1.objectIdentifier, point: point, isSensitive: true,
            isExtractable: nil, needsPINForEach: false)
        return requests.map { [0] + $0.bytes } + answers.map { [1] + $0.bytes }
            + [[2] + TokenFacts.bytes(of: [token, token]), [3] + object.bytes]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let kind = input.first else { return }
        let bytes = Array(input.dropFirst())
        switch kind {
        case 0:
            guard let request = try? TokenRequest(bytes) else { return }
            try law(request.bytes == bytes, "a request is written as it was read")
        case 1:
            guard let answer = try? TokenAnswer(bytes) else { return }
            // Text that is not UTF-8 is replaced.
            guard case .failed = answer else {
                return try law(answer.bytes == bytes, "an answer is written as it was read")
            }
        case 2:
            guard let tokens = try? TokenFacts.all(in: bytes) else { return }
            for token in tokens {
                let uri = token.uri(module: "/module.so")
                try law(token.matches(uri), "a token matches its own URI")
            }
        default:
            guard let object = try? TokenObject(bytes) else { return }
            let key = try? PublicKey(ellipticPoint: object.point, parameters: object.parameters)
            guard let key else { return }
            try law((try? PublicKey(key.text)) == key, "the key of a token is a valid key")
        }
    }
}
