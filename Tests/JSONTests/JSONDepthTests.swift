import Glibc
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
        let text = String(repeating: pair.open, count: count) + "0" + String(repeating: pair.close, count: count)
        // 1 MiB, an eighth of a main thread's stack. Stack frames of a debug build are many times
        // as large as those of a release build.
        let result = try onThread(stack: 1 << 20) {
            do throws(JSONError) {
                let bytes = Array(text.utf8)
                let limits = JSONLimits(depth: .max)
                try JSONReader.read(bytes, limits: limits) { reader throws(JSONError) in
                    try reader.skipValue()
                    try reader.expectEnd()
                }
                return try JSONValue.parse(bytes, limits: limits).text()
            } catch {
                return "\(error)"
            }
        }
        #expect(result == text)
        let error = #expect(throws: JSONError.self) {
            try JSONValue.parse(Array("[\(text)]".utf8), limits: JSONLimits(depth: .max))
        }
        #expect(error?.reason == .tooDeep(limit: 512))
    }

    private final class Task {
        let body: () -> String
        var result: String?
        init(_ body: @escaping () -> String) { self.body = body }
    }

    private func onThread(stack: Int, _ body: @escaping () -> String) throws -> String {
        let task = Task(body)
        var attributes = pthread_attr_t()
        try #require(pthread_attr_init(&attributes) == 0)
        defer { pthread_attr_destroy(&attributes) }
        try #require(pthread_attr_setstacksize(&attributes, stack) == 0)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { pointer in
                guard let pointer else { return nil }
                let task = Unmanaged<Task>.fromOpaque(pointer).takeUnretainedValue()
                task.result = task.body()
                return nil
            }, Unmanaged.passUnretained(task).toOpaque())
        try #require(status == 0)
        pthread_join(thread, nil)
        return try #require(task.result)
    }
}
