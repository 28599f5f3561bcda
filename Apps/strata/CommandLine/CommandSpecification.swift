/// The arguments and options of one command, from which both the parser and the help are derived.
struct CommandSpecification: Sendable, Hashable {
    /// The word after the program's name.
    let name: String

    /// One sentence for the list of commands and for the first line of the command's help.
    let summary: String

    /// The positional arguments in order; optional arguments follow mandatory arguments.
    var positionals: [PositionalSpecification] = []

    /// The options, in the order in which help lists them.
    var options: [OptionSpecification] = []

    /// A text that explains the subject of the command, if many users do not know it yet.
    var guide: HelpGuide?

    /// Complete command lines as examples.
    var examples: [String] = []

    /// Returns the option with a name, or `nil` if the command has none.
    func option(named name: String) -> OptionSpecification? {
        options.first { $0.name == name }
    }

    /// The options grouped by their headings in help: general options first, then the other groups in order.
    var groupedOptions: [(group: String?, options: [OptionSpecification])] {
        var groups: [String?] = [nil]
        for option in options where !groups.contains(option.group) { groups.append(option.group) }
        return groups.map { group in (group, options.filter { $0.group == group }) }
    }
}
