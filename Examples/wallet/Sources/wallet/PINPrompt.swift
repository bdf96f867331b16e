import EOSVault
import Glibc

/// Asks for a PIN at the terminal, without showing it. From a pipe, it reads one line.
func askPIN() throws(EOSError) -> UnlockMethod {
    print("PIN: ", terminator: "")
    fflush(nil)
    var shown = termios()
    let isTerminal = tcgetattr(STDIN_FILENO, &shown) == 0
    if isTerminal {
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    }
    defer {
        if isTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        print()
    }
    // The PIN is read straight into guarded memory, one byte at a time.
    let pin = try Secret(maximumCount: 1_024) { memory in
        memory.withUnsafeMutableBytes { bytes in
            guard let memory = bytes.baseAddress else { return 0 }
            var count = 0
            while count < bytes.count, read(STDIN_FILENO, memory + count, 1) == 1,
                bytes[count] != UInt8(ascii: "\n")
            {
                count += 1
            }
            return count
        }
    }
    return try .pin(pin)
}
