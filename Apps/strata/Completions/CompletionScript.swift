import StrataStoreKit

/// The scripts by which shells complete the program's command lines, derived from the specifications of its commands.
struct CompletionScript {
    /// The supported shells.
    enum Shell: String, Sendable, Hashable, CaseIterable {
        case bash
        case zsh
        case fish
    }

    /// The candidates at one position of a command line.
    enum Candidates: Hashable {
        case words([String])
        case files
        /// The names of the entities in the command line's model, as printed by the program.
        case entities
        /// The names of an entity's properties, separated by commas.
        case properties
        /// The same names and those of functions, in a list or an expression.
        case expression
        /// A value that only the user knows.
        case anything
    }

    let program: ProgramSpecification

    /// Returns the script for a shell, which ends with a line break.
    func text(for shell: Shell) -> String {
        let lines =
            switch shell {
            case .bash: bash
            case .zsh: zsh
            case .fish: fish
            }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The commands, including `help`, which the parser handles itself.
    var commands: [CommandSpecification] {
        let topics = OptionSpecification.Values.words(program.commands.map(\.name))
        let topic = PositionalSpecification(
            placeholder: "COMMAND", help: "The command.", isOptional: true, values: topics)
        return program.commands + [
            CommandSpecification(name: "help", summary: "Show the help of a command.", positionals: [topic])
        ]
    }

    /// Returns the candidates for an option's value, or `nil` for a flag.
    func candidates(_ option: OptionSpecification) -> Candidates? {
        guard let placeholder = option.placeholder else { return nil }
        return candidates(option.values, placeholder)
    }

    /// Returns the candidates for a positional argument.
    func candidates(_ positional: PositionalSpecification) -> Candidates {
        candidates(positional.values, positional.placeholder)
    }

    private func candidates(_ values: OptionSpecification.Values, _ placeholder: String) -> Candidates {
        switch values {
        case .words(let words): .words(words)
        case .entity: .entities
        case .properties: .properties
        case .expression: .expression
        case .file: .files
        case .any: placeholder == "FILE" ? .files : .anything
        }
    }

    /// The names of the functions in an expression, separated by spaces.
    var functions: String { PredicateParser.functionNames.joined(separator: " ") }

    /// Returns the first sentence of a description, because a list of candidates has no space for more.
    static func short(_ help: String) -> String {
        let end = help.firstRange(of: ". ")?.lowerBound ?? help.endIndex
        let sentence = help[..<end]
        return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
    }
}
