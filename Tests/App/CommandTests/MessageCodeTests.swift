import ABICodec
import Policy
import Shell
import Signing
import TestSupport
import Testing

@testable import App

/// Programs rely on the codes. Each one can occur, and `eosvault help codes` explains it.
struct MessageCodeTests {
    /// The codes that the sources use for a message, without the file that lists every code.
    private static let used = Result {
        let use = /(?:(?:Words|Self|init)\(|code:|ErrorCode =|case [^:"]*:)\s*(?:[^,()]+ \? )?\.(\w+)/
        return try swiftFiles(in: repositoryRoot + "/Sources").reduce(into: Set()) {
            guard !$1.hasSuffix("/ErrorCode.swift") else { return }
            let source = String(decoding: try Files.read($1), as: UTF8.self)
            guard source.contains("Words(") || source.contains("WordedError") else { return }
            $0.formUnion(source.matches(of: use).map { String($0.1) })
        }
    }

    private static func swiftFiles(in folder: String) -> [String] {
        Files.names(in: folder).flatMap { name -> [String] in
            let path = folder + "/" + name
            return name.hasSuffix(".swift") ? [path] : name.contains(".") ? [] : swiftFiles(in: path)
        }
    }

    @Test(arguments: ErrorCode.allCases)
    func errorIsUsed(_ code: ErrorCode) throws {
        #expect(try Self.used.get().contains("\(code)"))
    }

    @Test(arguments: ErrorCode.allCases)
    func statusIsListed(_ code: ErrorCode) {
        #expect(ExitStatus(rawValue: code.status) != nil)
        #expect(ExitStatus(after: code).rawValue == code.status)
        // A refusal by a policy is one for programs too.
        #expect(
            !code.name.hasPrefix("policy-") || code == .policyLog
                || code.status == ExitStatus.refused.rawValue)
    }

    private static let rows: [(name: String, meaning: String)] =
        rows(of: ErrorCode.self) + rows(of: FaultCode.self) + rows(of: ABIWarningCode.self)
        + rows(of: WarningCode.self)

    private static func rows<Code: MessageCode>(of codes: Code.Type) -> [(name: String, meaning: String)] {
        codes.allCases.map { ($0.name, $0.meaning) }
    }

    @Test func rowsAreComplete() {
        for row in Self.rows {
            #expect(row.name.wholeMatch(of: /[a-z0-9]+(?:-[a-z0-9]+)*/) != nil, "\(row)")
            #expect(!row.meaning.isEmpty && !row.meaning.contains("\n") && row.meaning.last != ".", "\(row)")
            #expect(row.meaning.first?.isUppercase == false, "\(row)")
        }
    }

    @Test(arguments: ErrorCode.allCases)
    func hintIsALine(_ code: ErrorCode) {
        for hint in [code.hint, code.eosvaultHint].compactMap(\.self) {
            #expect(!hint.isEmpty && !hint.contains("\n") && hint.last != ".", "\(code)")
        }
    }

    @Test func namesDiffer() {
        let names = ErrorCode.allCases.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
