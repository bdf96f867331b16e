import ABICodec
import JSON

extension NewAction {
    /// The limit of eosio.token (AntelopeIO/reference-contracts, contracts/eosio.token).
    private static let maximumMemoSize = 256

    package static func transfer(
        from: Name, to: Name, amount: TokenAmount, memo: String
    ) throws(BuildError) -> NewAction {
        guard from != to else { throw .account(.transferToSelf) }
        guard memo.utf8.count <= maximumMemoSize else { throw .account(.memoTooLong(limit: maximumMemoSize)) }
        try amount.expectPositive()
        return try NewAction(
            amount.contract, "transfer", by: PermissionLevel(activeOf: from),
            [
                "from": from.json, "to": to.json, "quantity": amount.json, "memo": .string(memo),
            ])
    }

    // MARK: - resources

    package static func buyRAM(payer: Name, receiver: Name, amount: TokenAmount) throws(BuildError) -> NewAction {
        try amount.expectPositive()
        return try NewAction(
            amount.systemContract, "buyram", by: PermissionLevel(activeOf: payer),
            ["payer": payer.json, "receiver": receiver.json, "quant": amount.json])
    }

    package static func buyRAMBytes(payer: Name, receiver: Name, bytes: UInt32) throws(BuildError) -> NewAction {
        guard bytes > 0 else { throw .amount(.zero) }
        return try NewAction(
            "eosio", "buyrambytes", by: PermissionLevel(activeOf: payer),
            [
                "payer": payer.json, "receiver": receiver.json, "bytes": .number(bytes),
            ])
    }

    /// - Parameter transfers: whether the receiver gets the tokens, not only the bandwidth.
    package static func delegateBandwidth(
        from: Name, receiver: Name, net: TokenAmount, cpu: TokenAmount, transfers: Bool
    ) throws(BuildError) -> NewAction {
        guard !transfers || from != receiver else { throw .account(.stakeToSelf) }
        let contract = try expectStakes(net, cpu)
        return try NewAction(
            contract, "delegatebw", by: PermissionLevel(activeOf: from),
            [
                "from": from.json, "receiver": receiver.json, "stake_net_quantity": net.json,
                "stake_cpu_quantity": cpu.json, "transfer": .boolean(transfers),
            ])
    }

    package static func undelegateBandwidth(
        from: Name, receiver: Name, net: TokenAmount, cpu: TokenAmount
    ) throws(BuildError) -> NewAction {
        let contract = try expectStakes(net, cpu)
        return try NewAction(
            contract, "undelegatebw", by: PermissionLevel(activeOf: from),
            [
                "from": from.json, "receiver": receiver.json, "unstake_net_quantity": net.json,
                "unstake_cpu_quantity": cpu.json,
            ])
    }

    /// One of the two amounts may be zero (VaultaFoundation/system-contracts,
    /// delegate_bandwidth.cpp).
    /// - Returns: The system contract that takes the tokens.
    private static func expectStakes(_ net: TokenAmount, _ cpu: TokenAmount) throws(BuildError) -> String {
        guard net.asset.symbol == cpu.asset.symbol, net.contract == cpu.contract else {
            throw .amount(.differentTokens)
        }
        guard net.asset.amount >= 0, cpu.asset.amount >= 0 else { throw .amount(.negative) }
        guard net.asset.amount > 0 || cpu.asset.amount > 0 else { throw .amount(.notPositive) }
        return net.systemContract
    }

    /// All of the chain's CPU or NET (VaultaFoundation/system-contracts, `powerup_frac`).
    private static let wholeFraction: Int64 = 1_000_000_000_000_000

    package static func powerUp(
        payer: Name, receiver: Name, days: UInt32, netFraction: Int64, cpuFraction: Int64, maximumPayment: TokenAmount
    ) throws(BuildError) -> NewAction {
        for fraction in [netFraction, cpuFraction] {
            guard fraction >= 0 else { throw .amount(.negativeFraction) }
            guard fraction <= wholeFraction else { throw .amount(.fractionTooLarge(limit: wholeFraction)) }
        }
        guard days > 0, netFraction > 0 || cpuFraction > 0 else { throw .amount(.zero) }
        try maximumPayment.expectPositive()
        return try NewAction(
            maximumPayment.systemContract, "powerup", by: PermissionLevel(activeOf: payer),
            [
                "payer": payer.json, "receiver": receiver.json, "days": .number(days), "net_frac": .number(netFraction),
                "cpu_frac": .number(cpuFraction), "max_payment": maximumPayment.json,
            ])
    }
}
