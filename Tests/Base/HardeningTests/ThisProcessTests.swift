import TestSupport
import Testing

@testable import Hardening

struct ThisProcessTests {
    /// The pages of files that this process has in memory, in KiB.
    private var filePages: Int {
        get throws {
            let status = String(decoding: try Files.read("/proc/self/status"), as: UTF8.self)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
            return try #require(Int(line.filter(\.isNumber)))
        }
    }

    @Test func dropsCodeThatWasUsed() throws {
        let before = try filePages
        ThisProcess.dropReadOnlyPages()
        #expect(try filePages < before)
    }
}
