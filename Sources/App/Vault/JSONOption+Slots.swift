import JSON
import Shell

extension JSONOption {
    /// Reports a changed slot: as text, or as an object with --json.
    func report(slot: Int, _ words: String) throws {
        guard isOn else { return Output.words(words) }
        try Output.json(Self.changedSlot.json(slot))
    }

    static let changedSlot = JSONObject<Int>([
        .number("slot", "the slot that was added, removed or changed; for `rekey`, the slot that was kept") { $0 }
    ])
}
