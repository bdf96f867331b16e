import CChild
import EOSVault
import Glibc
import Synchronization

/// Uses the public interface in a process of its own: what it leaves open, after a fork, from
/// several threads, hardened. `make threads` runs it with Thread Sanitizer.
///
/// A fork is safe only before the first thread: the child would wait for a lock that another thread
/// held. So the order of the steps matters.
@main
enum LibraryProbe {
    static func main() throws {
        var template = Array("/tmp/eosvault-probe-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fail("no folder") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let files = ["one", "two"].map { "\(folder)/\($0).db" }
        for file in files { try Vault.create(at: file, unlockedBy: pin()) }
        try closesWhatIsForgotten(files[0], folder)
        try refusesAfterAFork(files[0], folder)
        try seesAnotherProcess(files[0], folder)
        twoVaults(files, folder)
        twoObjectsOfOneFile(files[0], folder)
        try lockWhileInUse(files[0], folder)
        // Only threads with a file of their own can't be busy.
        let counts = try files.map { try Vault(path: $0, stateFolder: nil).keys().count }
        guard counts[0] >= 10, counts[1] == 4 else { fail("keys: \(counts)") }
        try hardensOnlyWhenAsked(files[0], folder)
        for name in files + ["\(folder)/state"] { removeAll(name) }
        rmdir(folder)
        print("probe: ok")
    }

    private static func open(_ file: String, _ folder: String) throws(EOSError) -> Vault {
        try Vault(path: file, stateFolder: folder + "/state")
    }

    // MARK: one thread

    /// An app that never closes anything has nothing open at the end.
    private static func closesWhatIsForgotten(_ file: String, _ folder: String) throws {
        func openFiles() -> Int { (0..<256).count { fcntl(Int32($0), F_GETFD) >= 0 } }
        let before = openFiles()
        for _ in 0..<50 { _ = try open(file, folder).keys() }
        try open(file, folder).unlock(pin()).createKey()
        if openFiles() != before { fail("\(openFiles()) files are open, \(before) were before") }
    }

    /// The child has the file open, but neither the parent's locks nor a connection of its own.
    private static func refusesAfterAFork(_ file: String, _ folder: String) throws {
        let vault = try open(file, folder)
        let status = childStatus {
            func isRefused(_ body: () throws(EOSError) -> Void) -> Bool {
                do throws(EOSError) { try body() } catch { return error.code.rawValue == "other-process" }
                return false
            }
            let refused = [
                isRefused { () throws(EOSError) in _ = try vault.keys() },
                isRefused { () throws(EOSError) in _ = try vault.unlock(pin()) },
            ]
            return refused == [true, true] ? 0 : 1
        }
        if status != 0 { fail("a child uses the vault of its parent: \(status)") }
        _ = try vault.unlock(pin()).keys()
    }

    /// Another process has its own vault of the same file.
    private static func seesAnotherProcess(_ file: String, _ folder: String) throws {
        let unlocked = try open(file, folder).unlock(pin())
        let status = childStatus {
            (try? open(file, folder).unlock(pin()).createKey(label: "of the child")) == nil ? 1 : 0
        }
        guard status == 0, try unlocked.keys().contains(where: { $0.label == "of the child" }) else {
            fail("the key of another process is not seen: \(status)")
        }
        do throws(EOSError) {
            try unlocked.createKey(label: "of the child")
            fail("two keys have one label")
        } catch { if error.code.rawValue != "label-exists" { fail("\(error)") } }
    }

    /// Other calls change neither limits nor signals.
    private static func hardensOnlyWhenAsked(_ file: String, _ folder: String) throws {
        func limits(_ resource: UInt32) -> rlimit {
            var limits = rlimit()
            getrlimit(__rlimit_resource_t(resource), &limits)
            return limits
        }
        // SIG_DFL is the null pointer.
        func ignoresAgain() -> Bool {
            signal(SIGSEGV, SIG_IGN).map { unsafeBitCast($0, to: Int.self) != 0 } ?? false
        }
        let (core, locked): (UInt32, UInt32) = (4, 8)
        // This process may have inherited none.
        var some = rlimit(rlim_cur: min(4_096, limits(core).rlim_max), rlim_max: limits(core).rlim_max)
        setrlimit(__rlimit_resource_t(core), &some)
        _ = signal(SIGSEGV, SIG_IGN)
        try open(file, folder).unlock(pin()).createKey()
        if limits(core).rlim_cur != some.rlim_cur { fail("the limit of core files changed") }
        if !ignoresAgain() { fail("a signal changed") }
        try Vault.hardenProcess()
        if limits(core).rlim_max != 0 { fail("core files are written") }
        if ignoresAgain() { fail("a crash is ignored") }
        if limits(locked).rlim_cur != limits(locked).rlim_max { fail("less memory than possible is locked") }
    }

    /// Runs `body` in a child process that `fork` makes, and returns its exit status.
    private static func childStatus(_ body: @escaping () -> Int32) -> Int32 {
        var body = body
        return withUnsafeMutablePointer(to: &body) { context in
            child_run(
                { context in context.map { $0.assumingMemoryBound(to: (() -> Int32).self).pointee() } ?? 126
                },
                context)
        }
    }

    // MARK: several threads

    /// A vault for each thread, with values that the threads share.
    private static func twoVaults(_ files: [String], _ folder: String) {
        run(
            files.map { file in
                { use(file, folder, count: 4) }
            })
    }

    private static func twoObjectsOfOneFile(_ file: String, _ folder: String) {
        run([{ use(file, folder, count: 4) }, { use(file, folder, count: 4) }])
    }

    private static func lockWhileInUse(_ file: String, _ folder: String) throws {
        let lock = Mutex<VaultLock?>(nil)
        run([
            {
                guard let vault = try? open(file, folder),
                    let unlocked = try? vault.unlock(pin())
                else { fail("the vault does not open") }
                lock.withLock { $0 = unlocked.lock }
                // The other thread ends this.
                while (try? unlocked.keys()) != nil {}
                if !unlocked.lock.isLocked { fail("not locked") }
            },
            {
                while lock.withLock({ $0 == nil }) { usleep(1_000) }
                usleep(20_000)
                lock.withLock { $0?.lock() }
            },
        ])
    }

    /// Makes keys, reviews a transfer and signs it.
    private static func use(_ file: String, _ folder: String, count: Int) {
        do throws(EOSError) {
            let vault = try open(file, folder)
            let unlocked = try vault.unlock(pin())
            for _ in 0..<count {
                let key = try unlocked.createKey()
                let review = try vault.review(transfer, for: ChainID("eos"), keys: ["\(key.publicKey)"])
                let signed = try unlocked.sign(review.accepted(by: .program(accepting: review.dangers)))
                guard try signed.signers(for: ChainID("eos")) == [key.publicKey] else { fail("other signer") }
            }
        } catch {
            // The other thread may have derived its key for longer than the wait.
            if error.code != .busy { fail("\(error)") }
        }
    }

    private static let transfer: Transaction = {
        let data = #"{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":"hello"}"#
        do {
            let (token, name) = (try Name("eosio.token"), try Name("transfer"))
            let level = PermissionLevel(actor: try Name("alice"), permission: try Name("active"))
            let action = Action(
                account: token, name: name, authorization: [level],
                data: try ContractABIs().pack(Array(data.utf8), account: token, action: name))
            return try Transaction(
                actions: [action], expiration: UInt32(time(nil)) + 600,
                block: BlockReference(id: "0000000a" + String(repeating: "ab", count: 28)))
        } catch { fail("\(error)") }
    }()

    private static func pin() throws(EOSError) -> UnlockMethod {
        let text = "a PIN of threads"
        return try .pin(
            Secret(maximumCount: 64) { memory in
                for (offset, byte) in text.utf8.enumerated() {
                    memory.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
                }
                return text.utf8.count
            })
    }

    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Runs each body on a thread of its own, and waits for all.
    private static func run(_ bodies: [() -> Void]) {
        let threads = bodies.map { body in
            var thread = pthread_t()
            let context = Unmanaged.passRetained(Body(body)).toOpaque()
            pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, context)
            return thread
        }
        for thread in threads { pthread_join(thread, nil) }
    }

    private static func removeAll(_ path: String) {
        if let names = opendir(path) {
            while let entry = readdir(names) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { removeAll(path + "/" + name) }
            }
            closedir(names)
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    private static func fail(_ text: String) -> Never {
        print("probe: \(text)")
        exit(1)
    }
}
