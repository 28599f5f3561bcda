/// Renders what `--help` prints, ending with a line break.
struct HelpText {
    let program: ProgramSpecification

    private static let helpRow = (left: "-h, --help", right: "Show this help.")

    /// The help of one command, or of the program where the command is nil.
    func text(for command: CommandSpecification?) -> String {
        let sections = command.map(commandSections) ?? programSections
        return sections.joined(separator: "\n\n") + "\n"
    }

    private var programSections: [String] {
        [
            program.summary,
            "Usage: \(program.name) COMMAND [ARGUMENTS] [OPTIONS]",
            section("Commands", program.commands.map { ($0.name, $0.summary) }),
            section("Options", [Self.helpRow, ("--version", "Show the version.")]),
            "Run '\(program.name) help COMMAND' for the options of a command and examples.",
        ]
    }

    private func commandSections(_ command: CommandSpecification) -> [String] {
        var sections = [
            TextColumns.wrapped(command.summary.split(separator: " ").map(String.init), indentation: 0),
            usage(of: command),
        ]
        if !command.positionals.isEmpty {
            sections.append(section("Arguments", command.positionals.map { ($0.placeholder, $0.help) }))
        }
        let options = command.options.map { ($0.spelling, $0.help + Self.note(on: $0)) }
        sections.append(section("Options", options + [Self.helpRow]))
        if !command.examples.isEmpty {
            sections.append("Examples:\n" + command.examples.map { "  \($0)" }.joined(separator: "\n"))
        }
        return sections
    }

    private func usage(of command: CommandSpecification) -> String {
        let positionals = command.positionals.map { positional in
            (positional.isOptional ? "[\(positional.placeholder)]" : positional.placeholder)
                + (positional.isRepeatable ? "..." : "")
        }
        let options = command.options.map { option in
            let ending = option.isRepeatable && !option.isFlag ? "..." : ""
            return (option.isRequired ? option.spelling : "[\(option.spelling)]") + ending
        }
        let head = "Usage: \(program.name) \(command.name)"
        return TextColumns.wrapped([head] + positionals + options, indentation: "Usage: \(program.name) ".count)
    }

    private static func note(on option: OptionSpecification) -> String {
        if option.isRequired { return " Required." }
        return option.isRepeatable && !option.isFlag ? " May be given more than once." : ""
    }

    private func section(_ title: String, _ rows: [(left: String, right: String)]) -> String {
        "\(title):\n\(TextColumns.rows(rows))"
    }
}
