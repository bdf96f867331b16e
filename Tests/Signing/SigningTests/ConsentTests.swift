import ABICodec
import Keys
import Policy
import Testing
import Transactions

@testable import Signing

/// Who accepts a request. `KeyStoreTests` and `PolicyTests` also sign with a script's options.
struct ConsentTests {
    private let key: KeyDescription

    init() throws {
        key = KeyDescription(try KeyStoreTests.key(KeyStoreTests.alice).publicKey, label: "treasury")
    }

    private func request(_ actions: [String]) throws -> SigningRequest {
        try SigningRequest(
            WarningTests.review(actions), keys: [ChosenKey(key, choice: .publicKey)], own: OwnKeys([key]))
    }

    /// A policy of the key that allows these actions of eosio.token and eosio.
    private func policies(_ members: String = "") throws -> PolicyLedger {
        let rules = [("eosio.token", "transfer"), ("eosio", "updateauth")].map { contract, action in
            #"{"contract":"\#(contract)","action":"\#(action)"}"#
        }
        let text = #"{"version":1,"chains":["eos"],"rules":[\#(rules.joined(separator: ","))]\#(members)}"#
        let policy = try KeyPolicy(Array(text.utf8))
        let stored = PolicyLedger.Stored(.key(key.publicKey), policy, uses: LimitUses(), times: nil)
        return PolicyLedger([key.publicKey: stored], clock: 1_796_079_600)
    }

    private let transfer = WarningTests.transfer("bob", "1.0000 EOS")

    /// The policies accept what they allow, and nothing of a key without a policy.
    @Test func policiesAcceptWhatTheyAllow() throws {
        let request = try request([transfer])
        #expect(try request.authorize(policies(), consent: PolicyConsent()).request.missing.count == 1)
        #expect(
            throws: SigningError.actionsNotAllowed([try #require(ActionPattern("eosio.token::transfer"))])
        ) {
            try request.authorize(.empty, consent: PolicyConsent())
        }
    }

    /// A policy can allow an action with a danger. Without a person, the danger is refused.
    @Test func policiesAcceptNoDanger() throws {
        let request = try request([
            WarningTests.update("active", WarningTests.authority([key.publicKey.text]))
        ])
        let danger = Danger(code: .activeChange, subject: "alice")
        #expect(throws: SigningError.dangerNotAllowed([danger])) {
            try request.authorize(policies(), consent: PolicyConsent())
        }
        for consent in [PersonConsent(), ProgramConsent()] as [any Consent] {
            #expect(try request.authorize(policies(), consent: consent).request.missing.count == 1)
        }
    }

    /// What a policy wants confirmed needs an answer.
    @Test func onlyAnAnswerConfirms() throws {
        let request = try request([transfer])
        let policies = try policies(#","transaction":{"confirm":"always"}"#)
        for consent in [PersonConsent(), ProgramConsent()] as [any Consent] {
            #expect(try request.authorize(policies, consent: consent).confirmations == [.always])
        }
        for consent in [PolicyConsent(), ScriptConsent()] as [any Consent] {
            let error = try #require(throws: SigningError.self) {
                try request.authorize(policies, consent: consent)
            }
            guard case .policy(let refusal) = error else { throw error }
            #expect(refusal.reason == .needsConfirmation(.always))
        }
    }

    /// The consent decides again on the verified policies of the store.
    @Test func decidesAgainWithTheStore() throws {
        let authorized = try request([transfer]).authorize(policies(), consent: PolicyConsent())
        // The store has no policy, so nothing accepts the request.
        #expect(
            throws: SigningError.actionsNotAllowed([try #require(ActionPattern("eosio.token::transfer"))])
        ) {
            try authorized.sign(with: TestStore())
        }
    }
}
