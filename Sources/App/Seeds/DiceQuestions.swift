import Files
import SecureMemory
import Seeds
import Shell

/// Asks for rolls of a die at a hidden prompt, until there are enough and an empty line ends them.
struct DiceQuestions: ~Copyable {
    private let terminal: Terminal

    init() throws { terminal = try Terminal.open(for: .dice) }

    func rolls() throws -> DiceRolls {
        var rolls = try DiceRolls()
        say(Words.askForDice(DiceRolls.needed))
        while true {
            let line = try terminal.readSecret("rolls (\(rolls.count) so far): ", limit: DiceRolls.limit * 2)
            guard line.count > 0 else {
                if rolls.count >= DiceRolls.needed { return rolls }
                say(Words.moreDice(DiceRolls.needed - rolls.count))
                continue
            }
            do throws(SeedError) { try rolls.add(line) } catch {
                switch error {
                case .notARoll, .tooManyRolls: break
                default: throw error
                }
                say(error.words.message.sentence + " " + Words.lineIgnored)
            }
        }
    }

    private func say(_ text: String) {
        terminal.write(WordWrap.text(text, on: FileDescriptor(terminal.descriptor)) + "\n")
    }
}
