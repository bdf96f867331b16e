import Shell
import Signing
import TestSupport
import Testing

@testable import App

/// Programs rely on the codes: none is changed or removed, and each one can occur.
struct MessageCodeTests {
    private static func list<Code: MessageCode>(_ kind: String, _ codes: Code.Type) -> [String] {
        codes.allCases.map { "\(kind) \($0.rawValue)" }
    }

    @Test func codesAreRecorded() throws {
        let file = String(decoding: try repositoryFile("Tests/App/codes.txt"), as: UTF8.self)
        let recorded = file.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        let codes =
            Self.list("abi-warning", ABIWarningCode.self) + Self.list("error", ErrorCode.self)
            + Self.list("fault", FaultCode.self) + Self.list("warning", WarningCode.self)
        #expect(codes.sorted() == recorded)
    }

    /// The codes that the sources use for a message, without the files that list every code.
    private static let used = Result {
        let paths = ["/Sources/App/", "/Sources/Shell/"].map { repositoryRoot + $0 }.flatMap { layer in
            Files.names(in: layer).flatMap { part in
                Files.names(in: layer + part).map { layer + part + "/" + $0 }
            }
        }
        let use = /(?:Words|init)\(\s*\.(\w+),/
        return try paths.filter { $0.hasSuffix(".swift") && !$0.contains("/ErrorCode") }.reduce(into: Set()) {
            let source = String(decoding: try Files.read($1), as: UTF8.self)
            $0.formUnion(source.matches(of: use).map { String($0.1) })
        }
    }

    @Test(arguments: ErrorCode.allCases)
    func errorIsUsed(_ code: ErrorCode) throws {
        #expect(try Self.used.get().contains("\(code)"))
    }

    @Test func meaningsAreLines() {
        let meanings =
            ErrorCode.allCases.map(\.meaning) + FaultCode.allCases.map(\.meaning)
            + ABIWarningCode.allCases.map(\.meaning) + WarningCode.allCases.map(\.meaning)
        for meaning in meanings {
            #expect(!meaning.isEmpty && !meaning.contains("\n") && meaning.last != ".", "\(meaning)")
        }
    }
}
