import ABICodec
import JSON

/// The ABI of each contract that is known here: those given for this run, and the system contracts' that are built in.
public struct ContractABIs: Sendable {
    /// Where an ABI came from: what a review says beside the data it decoded.
    public enum Source: Equatable, Sendable {
        case given
        case builtIn
    }

    private var given: [Name: ABI] = [:]

    public init() {}

    /// Uses an ABI, in JSON or in its raw form, for the contract at `account`, before any that is built in.
    /// - Returns: What is odd in it and loads all the same.
    @discardableResult
    public mutating func add(_ contents: [UInt8], for account: Name) throws(TransactionError) -> [ABIWarning] {
        do {
            let abi = try ABI(contents: contents)
            given[account] = abi
            return abi.warnings
        } catch { throw .abi(account: account, error) }
    }

    /// Uses a compiled ABI for the contract at `account`, before any that is built in.
    public mutating func add(_ abi: ABI, for account: Name) { given[account] = abi }

    /// The ABI of the contract at `account`, or nil where none is known.
    func abi(for account: Name) -> (abi: ABI, source: Source)? {
        if let abi = given[account] { return (abi, .given) }
        return BuiltInABI.abi(for: account).map { ($0, .builtIn) }
    }

    /// The type of an action's data.
    /// - Throws: `.noABI` and `.unknownAction`, with the path `data`.
    public func type(account: Name, action: Name) throws(TransactionError) -> (type: ABIType, source: Source) {
        guard let (abi, source) = abi(for: account) else { throw .noABI(path: "data", account: account) }
        let type: ABIType?
        do { type = try abi.actionType(for: action) } catch { throw .abi(account: account, error) }
        guard let type else { throw .unknownAction(path: "data", account: account, action: action) }
        return (type, source)
    }

    /// Packs action data that is given as JSON.
    func encode(_ data: JSONValue, account: Name, action: Name) throws(TransactionError) -> [UInt8] {
        let type = try type(account: account, action: action).type
        var writer = JSONWriter()
        writer.write(data)
        do { return try type.encode(json: writer.bytes) } catch { throw .value(error.inside(.field("data"))) }
    }
}
