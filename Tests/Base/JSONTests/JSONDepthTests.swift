import TestSupport
import Testing

@testable import JSON

/// Trees are built, printed and freed by recursion. The maximum depth must fit into the stack of
/// any thread.
@Suite struct JSONDepthTests {
    static let openings: [(String, String)] = [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")]

    @Test(arguments: openings) func greatestDepth(_ pair: (open: String, close: String)) throws {
        let count =
            JSONLimits.greatestDepth
            / pair.open.utf8.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") })
        let text =
            String(repeating: pair.open, count: count) + "0" + String(repeating: pair.close, count: count)
        // 1 MiB, an eighth of a main thread's stack. Stack frames of a debug build are many times
        // as large as those of a release build.
        nonisolated(unsafe) var result = ""
        let thread = TestThread(stack: 1 << 20) {
            do throws(JSONError) {
                let bytes = Array(text.utf8)
                let limits = JSONLimits(depth: .max)
                try JSONReader.read(bytes, limits: limits) { reader throws(JSONError) in
                    try reader.skipValue()
                    try reader.expectEnd()
                }
                result = try JSONValue.parse(bytes, limits: limits).text()
            } catch {
                result = "\(error)"
            }
        }
        thread.join()
        #expect(result == text)
        let error = #expect(throws: JSONError.self) {
            try JSONValue.parse(Array("[\(text)]".utf8), limits: JSONLimits(depth: .max))
        }
        #expect(error?.reason == .tooDeep(limit: 512))
    }
}
