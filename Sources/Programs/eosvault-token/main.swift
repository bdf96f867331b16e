import Files
import Glibc
import Hardening
import Messages

// The program is started by eosvault and eosvault-agent: it speaks the protocol of the module
// `Tokens` on its standard streams.
func print(_ text: String, to file: FileDescriptor, status: Int32) -> Never {
    unsafe try? file.write(Array((text + "\n").utf8).span.bytes)
    exit(status)
}

if CommandLine.arguments.dropFirst() == ["--version"] {
    print(Release.version, to: .standardOutput, status: 0)
}
// `--module PATH` names a module that this user may change.
let words = Array(CommandLine.arguments.dropFirst())
let named = stride(from: 0, to: words.count, by: 2)
let isCall = words.count.isMultiple(of: 2) && named.allSatisfy { words[$0] == "--module" }
guard isCall, isatty(STDIN_FILENO) != 1 else {
    print(
        "eosvault-token: error: only eosvault starts this program\n"
            + "eosvault-token: hint: see `eosvault help token`", to: .standardError, status: 64)
}
signal(SIGPIPE, SIG_IGN)
unsafe ModuleServer.named = Set(named.map { Array(words[$0 + 1].utf8) })
guard ThisProcess.protectMemory(), let router = try? Router() else { exit(1) }
router.run()
