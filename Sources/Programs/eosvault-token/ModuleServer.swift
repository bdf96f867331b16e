import CToken
import Codecs
import Files
import Glibc
import Keys
import SecureMemory
import Tokens

/// The process that loads the module of a vendor, and answers requests until they end.
enum ModuleServer {
    /// The modules that a user may change.
    nonisolated(unsafe) static var named: Set<[UInt8]> = []
    /// The time of a call.
    nonisolated(unsafe) private static var milliseconds: UInt32 = 0

    static func run(_ requests: FileDescriptor, _ answers: FileDescriptor) -> Never {
        guard var memory = try? ReusedBytes(capacity: TokenRequest.maximumCount) else { token_exit(1) }
        while let count = Frame.count(from: requests), (1...TokenRequest.maximumCount).contains(count) {
            let answered = memory.lend(count) { span -> TokenAnswer? in
                guard (try? requests.fill(&span)) == count else { return nil }
                return answer(&span)
            }
            guard let answered, Frame.send(answered.bytes, to: answers) else { break }
        }
        token_finish()
        token_exit(0)
    }

    /// The size of the request before a PIN.
    private static let loginCount = 3

    private static func answer(_ request: inout MutableRawSpan) -> TokenAnswer {
        let kept = request[byte: 0] == 4 ? min(loginCount, request.byteCount) : request.byteCount
        let bytes = (0..<kept).map { request[byte: $0] }
        guard let parsed = try? TokenRequest(bytes) else {
            return .failed(call: "request", code: UInt64(TOKEN_INVALID_ANSWER), detail: "")
        }
        guard case .login(let count) = parsed else { return answer(parsed) }
        guard request.byteCount == loginCount + Int(count) else {
            return .failed(call: "request", code: UInt64(TOKEN_INVALID_ANSWER), detail: "")
        }
        let result = unsafe request.withUnsafeMutableBytes { buffer in
            let pin = unsafe buffer.baseAddress.map { unsafe $0 + loginCount }
            return unsafe token_login(count == 0 ? nil : pin?.assumingMemoryBound(to: UInt8.self), Int(count))
        }
        return outcome(result) { [] }
    }

    private static func answer(_ request: TokenRequest) -> TokenAnswer {
        switch request {
        // The router ends this process itself.
        case .close: .done([])
        case .load(let path, let milliseconds): load(path, milliseconds)
        case .list: list()
        case .open(let slot, let isWritable): outcome(token_open(slot, isWritable ? 1 : 0)) { [] }
        case .login: .failed(call: "request", code: UInt64(TOKEN_INVALID_ANSWER), detail: "")
        case .find(let kind, let id, let label): find(kind, id, label)
        case .object(let object): facts(object)
        case .generate(let curve, let label, let id): generate(curve, label, id)
        case .remove(let object): outcome(token_remove(object)) { [] }
        case .sign(let key, let curve, let digest): sign(key, curve, digest)
        }
    }

    private static func outcome(_ result: UInt, _ bytes: () -> [UInt8]) -> TokenAnswer {
        result == 0 ? .done(bytes()) : failure(UInt64(result))
    }

    private static func failure(_ code: UInt64) -> TokenAnswer {
        let reason = unsafe code == UInt64(TOKEN_NOT_LOADED) ? String(cString: token_load_error()) : ""
        return unsafe .failed(call: String(cString: token_failed_call()), code: code, detail: reason)
    }

    private static func load(_ path: String, _ milliseconds: UInt32) -> TokenAnswer {
        unsafe self.milliseconds = milliseconds
        do throws(ModulePath.Problem) {
            let resolved = unsafe try ModulePath.resolve(path, named: named)
            return unsafe outcome(token_load(resolved)) { [] }
        } catch {
            return .failed(call: "module", code: error.code, detail: error.detail)
        }
    }

    private static func list() -> TokenAnswer {
        var tokens = [token_facts](repeating: token_facts(), count: Int(TOKEN_MAXIMUM))
        var count = 0
        let result = unsafe token_list(&tokens, &count)
        return outcome(result) {
            TokenFacts.bytes(
                of: tokens.prefix(count).map { token in
                    TokenFacts(
                        slot: token.slot, label: text(token.label), manufacturer: text(token.manufacturer),
                        model: text(token.model), serial: text(token.serial), flags: token.flags,
                        signs: token.has_ecdsa != 0, makesKeys: token.has_generation != 0)
                })
        }
    }

    /// Text that is padded with spaces.
    private static func text<Characters>(_ characters: Characters) -> String {
        let bytes = unsafe withUnsafeBytes(of: characters) { unsafe Array($0) }
        let end = bytes.lastIndex { $0 != UInt8(ascii: " ") && $0 != 0 }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    private static func find(_ kind: TokenObjectClass, _ id: [UInt8]?, _ label: [UInt8]?) -> TokenAnswer {
        var objects = [UInt64](repeating: 0, count: Int(TOKEN_MAXIMUM))
        var count = 0
        let result = unsafe token_find(
            UInt(kind.rawValue), id, id?.count ?? 0, label, label?.count ?? 0, &objects, &count)
        return outcome(result) { bytes(objects.prefix(count)) }
    }

    private static func bytes(_ numbers: some Sequence<UInt64>) -> [UInt8] {
        var writer = ByteWriter()
        for number in numbers { writer.write(integer: number) }
        return writer.bytes
    }

    /// In bytes, of one attribute.
    private static let attributeCount = 4096

    private static func facts(_ object: UInt64) -> TokenAnswer {
        var values: [[UInt8]] = []
        for type in [0x102, 0x3, 0x180, 0x181, 0x103, 0x162, 0x202] as [UInt] {
            var value = [UInt8](repeating: 0, count: attributeCount)
            var count = value.count
            let result = unsafe token_attribute(object, type, &value, &count)
            guard result == 0 else { return failure(UInt64(result)) }
            values.append(Array(value.prefix(count)))
        }
        func flag(_ value: [UInt8]) -> Bool? { value.count == 1 ? value[0] != 0 : nil }
        return .done(
            TokenObject(
                id: values[0], label: values[1], parameters: values[2], point: values[3],
                isSensitive: flag(values[4]), isExtractable: flag(values[5]), needsPINForEach: flag(values[6])
            ).bytes)
    }

    private static func generate(_ curve: Curve, _ label: [UInt8], _ id: [UInt8]) -> TokenAnswer {
        let oid = curve.objectIdentifier
        var (publicKey, privateKey): (UInt64, UInt64) = (0, 0)
        let result = unsafe token_generate(
            oid, oid.count, label, label.count, id, id.count, &publicKey, &privateKey)
        return outcome(result) { bytes([publicKey, privateKey]) }
    }

    /// All signatures that were made: only the last one can be canonical. No other one is started
    /// after a quarter of the time of a call, or after one that repeats the one before it.
    private static func sign(_ key: UInt64, _ curve: Curve, _ digest: [UInt8]) -> TokenAnswer {
        let end = unsafe Uptime.seconds + Double(milliseconds) / 4000
        var made: [UInt8] = []
        var numbers = [UInt8](repeating: 0, count: 64)
        for _ in 0..<TokenRequest.maximumSignatures {
            let result = unsafe token_sign(key, digest, &numbers)
            guard result == 0 else { return failure(UInt64(result)) }
            let isRepeated = made.suffix(64) == numbers[...]
            made += numbers
            if isRepeated || curve.accepts(numbers: numbers) || Uptime.seconds > end { break }
        }
        return .done(made)
    }
}
