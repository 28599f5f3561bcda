/// The text that `--help` prints, which ends with a line break.
struct HelpText {
    let program: ProgramSpecification

    /// The maximum number of options in the usage line.
    private static let mostInUsage = 8

    private static let helpRow = (left: "-h, --help", right: "Show this help.")

    /// Returns the help of one command, or of the program if the command is `nil`.
    func text(for command: CommandSpecification?) -> String {
        let sections = command.map(commandSections) ?? programSections
        return sections.joined(separator: "\n\n") + "\n"
    }

    private var programSections: [String] {
        let statuses = program.statuses.map { (String($0.code), $0.meaning) }
        return [
            program.summary,
            "Usage: \(program.name) COMMAND [ARGUMENTS] [OPTIONS]",
            section("Commands", program.commands.map { ($0.name, $0.summary) }),
            section("Options", [Self.helpRow, ("-V, --version", "Show the version.")]),
        ] + (statuses.isEmpty ? [] : [section("Exit status", statuses)]) + [
            "Run '\(program.name) help COMMAND' for the options of a command and examples."
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
        for (group, options) in command.groupedOptions {
            let rows = options.map { (Self.spelling($0), $0.help + $0.note) }
            sections.append(section(group ?? "Options", group == nil ? rows + [Self.helpRow] : rows))
        }
        if let guide = command.guide {
            sections.append("\(guide.title):")
            for block in guide.blocks {
                switch block {
                case .text(let text):
                    sections.append(TextColumns.wrapped(text.split(separator: " ").map(String.init), indentation: 0))
                case .lines(let lines): sections.append(lines.map { "  \($0)" }.joined(separator: "\n"))
                }
            }
        }
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
        // A command with many options shows only its required options in the usage line; the list below shows all of
        // them.
        let isLong = command.options.count > Self.mostInUsage
        let options = command.options.filter { !isLong || $0.isRequired }.map { option in
            let ending = option.isRepeatable && !option.isFlag ? "..." : ""
            return (option.isRequired ? option.spelling : "[\(option.spelling)]") + ending
        }
        let head = "Usage: \(program.name) \(command.name)"
        return TextColumns.wrapped(
            [head] + positionals + options + (isLong ? ["[OPTIONS]"] : []), indentation: "Usage: \(program.name) ".count
        )
    }

    private static func spelling(_ option: OptionSpecification) -> String {
        (option.letter.map { "-\($0), " } ?? "") + option.spelling
    }

    private func section(_ title: String, _ rows: [(left: String, right: String)]) -> String {
        "\(title):\n\(TextColumns.rows(rows))"
    }
}
