import ABICodec
import ArgumentParser
import Files
import Hardening
import JSON
import Shell
import VectorSuite

struct Verify: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check files of test vectors.",
        discussion: """
            Prints the counts of each file, and the ids of failed tests. In a folder, the command checks all .json \
            files.

              eosvault verify Vectors
            """)

    @Argument(help: ArgumentHelp("Files, or folders of files.", valueName: "path"), completion: .file())
    var paths: [String]

    @OptionGroup var common: CommonOptions

    var requiredAccess: FileAccess { paths.reduce(.none) { $0 + Self.access(to: $1) } }

    /// Access to the path, and to the targets of symbolic links in a folder.
    private static func access(to path: String) -> FileAccess {
        let input = InputFile(path: path)
        guard input.descriptor == nil else { return input.fileAccess }
        return ((try? files(path)) ?? []).filter { $0 != path }.reduce(.readingBeneath(path)) {
            $0 + (isLink($1) ? .reading($1) : .none)
        }
    }

    private static func isLink(_ path: String) -> Bool {
        (try? FileStatus(of: path))?.kind == .symbolicLink
    }

    func run() throws {
        let results = try paths.flatMap(Self.files).map { path in (path: path, outcome: Self.check(path)) }
        if json.isOn {
            try Output.json(Self.object.json(results))
        } else {
            for result in results { try Output.report(Self.lines(result.path, result.outcome)) }
        }
        if results.contains(where: { !$0.outcome.isPassed }) { throw ExitStatus.failed }
    }

    enum Outcome {
        case checked(VectorReport)
        case refused(Words)

        var report: VectorReport? { if case .checked(let report) = self { report } else { nil } }
        var refusal: Words? { if case .refused(let words) = self { words } else { nil } }
        var isPassed: Bool { report?.failures.isEmpty ?? false }
    }

    private static func check(_ path: String) -> Outcome {
        do { return .checked(try VectorFile.check(InputFile(path: path).read())) } catch {
            return .refused(Words(for: error))
        }
    }

    /// The file, or the .json files of the folder, sorted by name.
    private static func files(_ path: String) throws -> [String] {
        guard let names = try? Folder.names(in: path).filter({ $0.hasSuffix(".json") }) else { return [path] }
        guard !names.isEmpty else {
            throw Placed(place: Printable.line(path), error: InputFile.Failure.noVectors)
        }
        return names.map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
    }

    private static func lines(_ path: String, _ outcome: Outcome) -> String {
        let name = Printable.line(path)
        switch outcome {
        case .refused(let words): return "FAIL \(name): \(words.message)\n"
        case .checked(let report):
            let counts = "\(name): \(report.kind): \(report.passed) of \(report.count) passed"
            guard !report.failures.isEmpty else { return "ok   \(counts)\n" }
            return "FAIL \(counts)\n"
                + report.failures.map { "     id \(Printable.line($0.id)): \(text(of: $0.reason))\n" }
                .joined()
        }
    }

    static let object = JSONObject<[(path: String, outcome: Outcome)]>([
        .list("files", of: file, "one object for each file") { $0 }
    ])

    private static let file = JSONObject<(path: String, outcome: Outcome)>([
        .text("file", "its path") { $0.path },
        .boolean("passed", "whether each test passed") { $0.outcome.isPassed },
        .error("error?", "why the file was refused") { $0.outcome.refusal },
        .text("kind?", "the kind of vectors") { $0.outcome.report?.kind },
        .number("tests?", "the number of tests") { $0.outcome.report?.count },
        .list("failures?", of: failure, "the tests that failed") { $0.outcome.report?.failures },
    ])

    private static let failure = JSONObject<VectorReport.Failure>([
        .text("id", "of the test") { $0.id }, .text("reason", "why it failed") { text(of: $0.reason) },
    ])

    private static func text(of failure: VectorFailure) -> String {
        switch failure {
        case .missingField(let field): "the field `\(Printable.line(field))` is missing"
        case .malformedField(let field): "the field `\(Printable.line(field))` has the wrong format"
        case .duplicateID: "another test has this id"
        case .unknownResult(let result): "unknown result `\(Printable.line(result))`"
        case .refused(let step): "valid, but refused at \(step)"
        case .accepted: "invalid, but accepted"
        case .mismatch(let field): "different \(field)"
        }
    }
}
