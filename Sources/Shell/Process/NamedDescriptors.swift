import Files
import Glibc

/// The open descriptors in the arguments: `/dev/fd/63`, as the shell writes it for `<(…)`, or
/// `--pin-fd 5`.
package enum NamedDescriptors {
    /// The descriptor that a path names; nil for any other path. The program uses the descriptor
    /// itself: a process that is not dumpable can't open the files in its own folder of /proc.
    package static func descriptor(ofPath path: String) -> Int32? {
        if path == "/dev/stdin" { return STDIN_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/", "/proc/\(getpid())/fd/"]
        where path.hasPrefix(folder) {
            return number(path.dropFirst(folder.utf8.count))
        }
        return nil
    }

    /// Closes each descriptor above 2 that no argument names, so that the program can't read or
    /// write a descriptor that it inherited by mistake.
    package static func closeOthers(_ arguments: [String]) {
        OpenFile.closeAll(except: named(in: arguments))
    }

    /// Searches for a path in each whole argument and after each `=`, as in `--abi=dex=/dev/fd/63`.
    /// A descriptor that is named by accident stays open, but is not used.
    package static func named(in arguments: [String]) -> Set<Int32> {
        var found: Set<Int32> = []
        var takesNumber = false
        for argument in arguments {
            let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
            for start in parts.indices {
                if let descriptor = descriptor(ofPath: parts[start...].joined(separator: "=")) {
                    found.insert(descriptor)
                }
            }
            if takesNumber, let descriptor = number(argument[...]) { found.insert(descriptor) }
            // For example `--pin-fd 5` or `--new-pin-fd=6`.
            let isOption = argument.hasPrefix("--") && parts[0].hasSuffix("-fd")
            if isOption, parts.count == 2, let descriptor = number(parts[1]) { found.insert(descriptor) }
            takesNumber = isOption && parts.count == 1
        }
        return found
    }

    private static func number(_ text: Substring) -> Int32? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int32(text) : nil
    }
}
