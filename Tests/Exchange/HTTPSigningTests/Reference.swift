import CChild
import Codecs
import Glibc
import HTTPSigning
import JSON
import SecureMemory
import TestSupport

/// Runs `Tests/Exchange/HTTPReference/reference.py`, curl, or another program from the PATH.
enum Reference {
    static let script = repositoryRoot + "/Tests/Exchange/HTTPReference/reference.py"

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Output {
        let status: Int32
        let text: String
    }

    /// Runs a program to its end.
    static func run(_ arguments: [String], input: [UInt8] = [], in folder: String = "/") throws -> Output {
        let files = try (0..<3).map { _ in try temporaryFile() }
        defer { files.forEach { close($0) } }
        guard pwrite(files[0], input, input.count, 0) == input.count else {
            throw Failure(description: "input: errno \(errno)")
        }
        let process = try start(arguments, files[0], files[1], files[2], in: folder)
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { throw Failure(description: "wait: errno \(errno)") }
        let text = files[1...].map { String(decoding: Files.contents(of: $0), as: UTF8.self) }.joined()
        return Output(status: status >> 8, text: text)
    }

    static func start(
        _ arguments: [String], _ input: Int32, _ output: Int32, _ error: Int32, in folder: String = "/"
    ) throws -> pid_t {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let list = (["env"] + arguments).map { strdup($0) } + [nil]
        let environment = [strdup("PATH=\(path)"), strdup("PYTHONDONTWRITEBYTECODE=1"), nil]
        defer { (list + environment).forEach { free($0) } }
        let process = child_start("/usr/bin/env", list, environment, folder, input, output, error, nil, nil, 0)
        guard process > 0 else { throw Failure(description: "start: errno \(errno)") }
        return process
    }

    static func temporaryFile() throws -> Int32 {
        let file = child_temporary_file()
        guard file >= 0 else { throw Failure(description: "temporary file: errno \(errno)") }
        return file
    }
}

/// A request with its credential, and its result as a line for the script.
struct SignedCase {
    let profile: SigningProfile
    let keyID: String
    let secret: [UInt8]
    let request: HTTPRequest

    func sign() throws -> SignedRequest {
        try profile.sign(request, keyID: KeyID(keyID), secret: SecureBytes(copyingPublic: secret))
    }

    /// The case, and what the program made of it.
    func line() throws -> String {
        let signed = try sign()
        var headers: [JSONValue] = []
        for header in signed.headers {
            var value = header.value
            if value == SignedRequest.placeholder {
                value = String(decoding: try signed.revealing(Array(value.utf8)).published(), as: UTF8.self)
            }
            headers.append(.array([.string(header.name), .string(value)]))
        }
        let parameters = profile.parameters.map { JSONMember($0.name, .string($0.value)) }
        let given = request.headers.map { JSONMember($0.name, .string($0.value)) }
        let json: JSONValue = [
            "profile": .string(profile.name), "parameters": .object(parameters), "key_id": .string(keyID),
            "secret": .string(Hex.encode(secret)), "method": .string(request.method.text),
            "url": .string(request.url.text), "body": .string(Hex.encode(request.body)),
            "content_type": request.contentType.map { .string($0) } ?? .null, "request_headers": .object(given),
            "time_us": .number(request.time.microseconds), "nonce": .number(request.nonce ?? 0),
            "final_url": .string(signed.url.text), "final_body": .string(Hex.encode(signed.body)),
            "headers": .array(headers),
        ]
        return json.text()
    }
}

extension SecureBytes {
    /// The bytes of a secret that is published.
    borrowing func published() -> [UInt8] {
        withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
    }
}

extension SplitMix {
    mutating func text(_ characters: String, _ count: ClosedRange<Int>) -> String {
        let characters = Array(characters)
        return String(
            (0..<Int.random(in: count, using: &self)).map { _ in characters.randomElement(using: &self) ?? "a" })
    }

    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
