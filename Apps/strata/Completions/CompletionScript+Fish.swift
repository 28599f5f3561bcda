extension CompletionScript {
    /// For fish: one `complete` for each thing that can be completed.
    var fish: [String] {
        let name = program.name
        var lines = [
            "# fish completion for \(name); made by '\(name) completions fish'.",
            "complete -c \(name) -f",
            "complete -c \(name) -n __fish_use_subcommand -s h -l help -d 'Show help'",
            "complete -c \(name) -n __fish_use_subcommand -s V -l version -d 'Show the version'",
        ]
        for command in commands {
            let summary = Self.fishQuoted(Self.short(command.summary))
            lines.append("complete -c \(name) -n __fish_use_subcommand -a \(command.name) -d \(summary)")
        }
        for command in commands {
            let head = "complete -c \(name) -n '__fish_seen_subcommand_from \(command.name)'"
            lines += command.options.map { "\(head) \(fishOption($0))" }
            lines.append("\(head) -s h -l help -d 'Show this help'")
            switch command.positionals.last.map(candidates) {
            case .words(let words): lines.append("\(head) -a \(Self.fishQuoted(words.joined(separator: " ")))")
            case .files: lines.append("\(head) -F")
            case .anything, nil: break
            }
        }
        return lines
    }

    private func fishOption(_ option: OptionSpecification) -> String {
        let letter = option.letter.map { "-s \($0) " } ?? ""
        let value =
            switch candidates(option) {
            case .words(let words): " -x -a \(Self.fishQuoted(words.joined(separator: " ")))"
            case .files: " -r -F"
            case .anything: " -x"
            case nil: ""
            }
        return "\(letter)-l \(option.name)\(value) -d \(Self.fishQuoted(Self.short(option.help)))"
    }

    /// A word for fish, in whose single quotes only the backslash and the quote are escaped.
    private static func fishQuoted(_ text: String) -> String {
        "'" + text.reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "'"
    }
}
