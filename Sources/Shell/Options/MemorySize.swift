import ArgumentParser

/// A size such as `64MiB`, `8KiB` or `1GiB`, or a number of bytes.
package struct MemorySize: ExpressibleByArgument {
    package let bytes: UInt64

    package init?(argument: String) {
        let units: [(String, UInt64)] = [
            ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("K", 1 << 10), ("M", 1 << 20),
            ("G", 1 << 30),
        ]
        let unit = units.first { argument.hasSuffix($0.0) }
        let digits = argument.dropLast(unit?.0.utf8.count ?? 0)
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt64(digits)
        else {
            return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        guard !overflow else { return nil }
        self.bytes = bytes
    }
}
