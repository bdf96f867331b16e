/// Every refusal and failure of a vault, as data for the command's messages. An error never
/// contains a secret.
package enum VaultError: Error, Equatable {
    case input(Input)
    case file(File)
    case machine(Machine)
    case integrity(Integrity)
}
