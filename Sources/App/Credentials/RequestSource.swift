import ArgumentParser
import Files
import HTTPSigning
import Hardening
import Shell

/// The request that `credential sign` signs, or the lines with requests, and the form of the
/// output.
package struct RequestSource: ParsableArguments {
    package init() {}

    @OptionGroup package var target: RequestTarget

    @Flag(help: "Sign one request for each line of standard input: a JSON object with method and url.")
    package var lines = false

    @Option(help: ArgumentHelp("The body: a file, or `-` for standard input.", valueName: "file"))
    package var body: InputFile?

    @Option(help: ArgumentHelp("The Content-Type of the body.", valueName: "type"))
    package var contentType: String?

    @Option(help: "A header to sign, `Name: value`, for rfc9421. Repeat the option.")
    package var header: [String] = []

    @Option(
        help: """
            The time of the request: a time in UTC (2026-12-01T09:30:00Z), or a number since 1970 in the unit of \
            `add --nonce-unit` (default: now).
            """)
    package var time: String?

    @Option(
        help: ArgumentHelp(
            "A nonce greater than the last one (default: the next one).", valueName: "number"))
    package var nonce: UInt64?

    @Option(
        help: ArgumentHelp(
            "The time window of this request, for bitbank and binance.", valueName: "milliseconds"))
    package var window: UInt64?

    @Option(help: "The output: headers (default), json or curl.")
    package var format: RequestFormat?

    @Option(
        help: ArgumentHelp("Write the body to a new file, for curl.", valueName: "file"),
        completion: .file())
    package var bodyOut: String?

    @Flag(help: "Allow http URLs with basic, which then sends the secret unencrypted.")
    package var insecureHTTP = false

    package func validate() throws {
        guard lines || target.method != nil && target.url != nil else {
            throw ValidationError("give --method and --url, or --lines")
        }
        if lines {
            let others: [Any?] = [
                target.method, target.url, body, contentType, header.first, time, nonce, format, bodyOut,
            ]
            guard others.allSatisfy({ $0 == nil }) else {
                throw ValidationError(
                    "--lines reads the requests from standard input: omit their options")
            }
        }
        if let bodyOut { try OutputFile.expectFile(bodyOut) }
    }

    package var inputs: [InputFile] { [InputFile](given: lines ? .standardInput : body) }

    package var fileAccess: FileAccess {
        (body?.fileAccess ?? .none) + OutputFile.fileAccess(to: bodyOut)
    }

    package var outputFormat: RequestFormat { lines ? .json : format ?? .headers }

    /// True if the output does not show the body.
    package var keepsBody: Bool { outputFormat == .headers && bodyOut == nil }

    /// Of the file with the body, for curl.
    package var bodyPath: String? { bodyOut.map(FilePath.absolute) }

    /// The request of the options.
    /// - Parameter unit: of a time that is a number; nil if it is not known.
    package func input(nonceUnit unit: TimeUnit?) throws -> RequestInput {
        let method = try parsing { try HTTPMethod(target.method ?? "") }
        let url = try parsing("--url") { try RequestURL(target.url ?? "") }
        let headers = try header.map(Self.header)
        let time = try self.time.map { text in try parsing("--time") { try GivenTime(text) } }
        if let unit {
            _ = try parsing {
                try HTTPRequest(
                    method: method, url: url, contentType: contentType,
                    time: time?.time(in: unit) ?? RequestTime(0, unit),
                    headers: headers)
            }
        }
        return try RequestInput(
            method: method, url: url, body: readBody(), contentType: contentType, headers: headers,
            time: time, nonce: nonce, allowsInsecureHTTP: insecureHTTP)
    }

    private func readBody() throws -> [UInt8] {
        guard let body else { return [] }
        return try placed(at: body.name) {
            do throws(InputFile.Failure) { return try body.read(atMost: HTTPRequest.maximumBody) } catch {
                // An empty body is one without bytes.
                guard error == .empty else { throw error }
                return []
            }
        }
    }

    private static func header(_ text: String) throws -> HTTPHeader {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw ValidationError("each --header is `Name: value`") }
        return try parsing { try HTTPHeader(String(parts[0]), String(parts[1].drop { $0 == " " })) }
    }
}

/// The request that `credential sign` signs.
package struct RequestTarget: ParsableArguments {
    package init() {}

    @Option(help: "The method, such as GET.")
    package var method: String?

    @Option(help: "The whole URL, as it is sent.")
    package var url: String?
}

/// The value of --format of `credential sign`.
package enum RequestFormat: String, CaseIterable, ExpressibleByArgument {
    case headers, json, curl
}
