import EOSVault
import Glibc
import Synchronization

/// Uses the public interface from several threads, for Thread Sanitizer: `make threads`.
@main
enum Threads {
    static func main() throws {
        var template = Array("/tmp/eosvault-threads-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fail("no folder") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let files = ["one", "two"].map { "\(folder)/\($0).db" }
        for file in files { try Vault.create(at: file, unlockedBy: pin()) }
        twoVaults(files, folder)
        twoObjectsOfOneFile(files[0], folder)
        try lockWhileInUse(files[0], folder)
        // Only threads with a file of their own can't be busy.
        let counts = try files.map { try Vault(path: $0, stateFolder: nil).keys().count }
        guard counts[0] >= 8, counts[1] == 4 else { fail("keys: \(counts)") }
        for name in files + ["\(folder)/state"] { removeAll(name) }
        rmdir(folder)
        print("threads: ok")
    }

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
                guard let vault = try? Vault(path: file, stateFolder: folder + "/state"),
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
            let vault = try Vault(path: file, stateFolder: folder + "/state")
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
        print("threads: \(text)")
        exit(1)
    }
}
