import ArgumentParser
import Policy
import Shell
import Signing

/// The options that allow signatures without a person, and that refuse signatures in any case.
struct ConsentOptions: ParsableArguments {
    @Flag(help: "Sign without confirmation, for scripts. A danger also needs --allow.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "With --yes or --lines: accept this danger, for this account (`owner-change=alice`). Repeat the option for "
                + "several dangers. `--blind` accepts the danger of its action.", valueName: "code=account"))
    var allow: [ParsedArgument<Allowance>] = []

    @Option(
        help: ArgumentHelp(
            "With --lines and --yes: sign lines with this action. Transfers of known tokens and of contracts with a "
                + "pinned ABI need no such option, nor do actions that a policy of each key allows. Repeat the option "
                + "for several actions.", valueName: "account::action"))
    var allowAction: [ActionPattern] = []

    @OptionGroup var refusing: RefuseOption

    /// - Parameter lines: true if many transactions are signed.
    func check(lines: Bool) throws {
        guard allow.isEmpty || yes || lines else { throw ValidationError("--allow needs --yes or --lines") }
        guard allowAction.isEmpty || yes && lines else {
            throw ValidationError("--allow-action needs --lines and --yes")
        }
        _ = try (allowances(blind: []), refused())
    }

    /// - Parameter blind: the actions of --blind, whose danger is accepted.
    func allowances(blind: [ActionPattern]) throws -> [Allowance] {
        try allow.map { try $0.value } + blind.map { Allowance(blind: $0) }
    }

    func refused() throws -> RefusedWarnings { try refusing.refused() }

    /// The actions that may be signed without a person; nil if a person confirms the review. An
    /// action that is signed as bytes is named by --blind.
    func allowedActions(blind: [ActionPattern]) -> AllowedActions? {
        yes ? AllowedActions(named: Set(allowAction), blind: Set(blind)) : nil
    }
}

/// The warnings that refuse a signature.
package struct RefuseOption: ParsableArguments {
    package init() {}

    @Option(
        help: ArgumentHelp(
            "Refuse a transaction that has this warning, for example `signed-before`. `eosvault codes` lists the "
                + "codes; `summary-cut` can't be refused. Repeat the option for several warnings.",
            valueName: "code"))
    package var refuse: [ParsedArgument<WarningCode>] = []

    package func validate() throws { _ = try refused() }

    package func refused() throws -> RefusedWarnings {
        RefusedWarnings(Set(try refuse.map { try $0.value }), now: Clock.now)
    }
}

extension Allowance: ArgumentValue {
    package static func parsed(_ text: String) throws -> Allowance {
        do throws(ParseError) { return try Allowance(text) } catch {
            throw ValidationError(Words.refused(text, error))
        }
    }
}

extension WarningCode: ArgumentValue {
    package static func parsed(_ text: String) throws -> WarningCode {
        guard WarningCode.refusable.contains(text), let code = WarningCode(rawValue: text) else {
            throw ValidationError(Words.noSuchWarning(text))
        }
        return code
    }
}
