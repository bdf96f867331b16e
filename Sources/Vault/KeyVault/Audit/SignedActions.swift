import Codecs

/// The actions of a signed transaction as a record of the audit log holds them: which contract's
/// action, and how many of them. The names are 64-bit values, as in a packed transaction.
package struct SignedActions: Equatable, Sendable {
    /// The kinds that a record lists. A payout of 500 transfers is one kind. Further kinds are only
    /// counted, so that the actions take at most 325 bytes of a record.
    package static let maximumKindCount = 16

    /// One action of a contract.
    package struct Kind: Hashable, Sendable {
        package let contract: UInt64
        package let action: UInt64

        package init(contract: UInt64, action: UInt64) { (self.contract, self.action) = (contract, action) }
    }

    /// A kind and the number of its actions, from 1.
    package struct Count: Equatable, Sendable {
        package let kind: Kind
        package fileprivate(set) var count: UInt32
    }

    /// In the order of their first actions.
    package private(set) var counts: [Count] = []
    /// The number of actions of further kinds.
    package private(set) var otherCount: UInt32 = 0
    /// The first payments of the actions, in their order. Payments of a proposal are not included.
    package private(set) var payments: [SignedPayment] = []
    /// The number of further payments.
    package private(set) var otherPaymentCount: UInt32 = 0

    /// The most payments of a record. A payroll has 100 in a transaction.
    package static let maximumPaymentCount = 256

    /// - Parameter kinds: the kind of each action, in the order of the transaction.
    package init(_ kinds: some Sequence<Kind>, payments: [SignedPayment] = []) {
        self.payments = Array(payments.prefix(Self.maximumPaymentCount))
        otherPaymentCount = UInt32(clamping: payments.count - self.payments.count)
        for kind in kinds {
            if let index = counts.firstIndex(where: { $0.kind == kind }) {
                counts[index].count &+= 1
            } else if counts.count < Self.maximumKindCount {
                counts.append(Count(kind: kind, count: 1))
            } else {
                otherCount &+= 1
            }
        }
    }
}

extension SignedActions {
    /// - Parameter hasPayments: True for a record with payments.
    /// - Throws: `BodyError` for counts that no transaction has.
    init(from reader: inout ByteReader, hasPayments: Bool) throws(AuditEvent.BodyError) {
        let count: UInt8 = try reader.read()
        guard count <= Self.maximumKindCount else { throw AuditEvent.BodyError() }
        for _ in 0..<count {
            let entry = try Count(
                kind: Kind(contract: reader.read(), action: reader.read()), count: reader.read())
            guard entry.count > 0, !counts.contains(where: { $0.kind == entry.kind }) else {
                throw AuditEvent.BodyError()
            }
            counts.append(entry)
        }
        otherCount = try reader.read()
        guard otherCount == 0 || counts.count == Self.maximumKindCount else { throw AuditEvent.BodyError() }
        guard hasPayments else { return }
        let paymentCount: UInt16 = try reader.read()
        guard (1...Self.maximumPaymentCount).contains(Int(paymentCount)) else { throw AuditEvent.BodyError() }
        for _ in 0..<paymentCount { payments.append(try SignedPayment(from: &reader)) }
        otherPaymentCount = try reader.read()
        guard otherPaymentCount == 0 || payments.count == Self.maximumPaymentCount else {
            throw AuditEvent.BodyError()
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.write(byte: UInt8(truncatingIfNeeded: counts.count))
        for entry in counts {
            writer.write(integer: entry.kind.contract)
            writer.write(integer: entry.kind.action)
            writer.write(integer: entry.count)
        }
        writer.write(integer: otherCount)
        guard !payments.isEmpty else { return }
        writer.write(integer: UInt16(truncatingIfNeeded: payments.count))
        for payment in payments { payment.write(to: &writer) }
        writer.write(integer: otherPaymentCount)
    }
}
