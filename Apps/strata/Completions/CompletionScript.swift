/// The scripts by which shells complete the program's command lines, made of what its commands take.
struct CompletionScript {
    /// The shells that there is a script for.
    enum Shell: String, Sendable, Hashable, CaseIterable {
        case bash
        case zsh
        case fish
    }

    /// What may stand in one place of a command line.
    enum Candidates: Hashable {
        case words([String])
        case files
        /// The names of the entities of the model on the command line, as the program says them.
        case entities
        /// The names of an entity's properties, one or several with a comma between two.
        case properties
        /// Something that only the user knows.
        case anything
    }

    let program: ProgramSpecification

    /// The script for a shell, ending with a line break.
    func text(for shell: Shell) -> String {
        let lines =
            switch shell {
            case .bash: bash
            case .zsh: zsh
            case .fish: fish
            }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The commands with `help`, which parsing has built in.
    var commands: [CommandSpecification] {
        let topics = OptionSpecification.Values.words(program.commands.map(\.name))
        let topic = PositionalSpecification(
            placeholder: "COMMAND", help: "The command.", isOptional: true, values: topics)
        return program.commands + [
            CommandSpecification(name: "help", summary: "Show the help of a command.", positionals: [topic])
        ]
    }

    /// What an option's value may be; nil for a flag.
    func candidates(_ option: OptionSpecification) -> Candidates? {
        guard let placeholder = option.placeholder else { return nil }
        return candidates(option.values, placeholder)
    }

    /// What a positional argument may be.
    func candidates(_ positional: PositionalSpecification) -> Candidates {
        candidates(positional.values, positional.placeholder)
    }

    private func candidates(_ values: OptionSpecification.Values, _ placeholder: String) -> Candidates {
        switch values {
        case .words(let words): .words(words)
        case .entity: .entities
        case .properties: .properties
        case .file: .files
        case .any: placeholder == "FILE" ? .files : .anything
        }
    }

    /// The first sentence of a description, which is all that a list of candidates has room for.
    static func short(_ help: String) -> String {
        let end = help.firstRange(of: ". ")?.lowerBound ?? help.endIndex
        let sentence = help[..<end]
        return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
    }
}
