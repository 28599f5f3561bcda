/// What one command takes, declared once: parsing and help are both made of it.
struct CommandSpecification: Sendable, Hashable {
    /// The word after the program's name.
    let name: String

    /// One sentence for the list of commands and the head of the command's help.
    let summary: String

    /// The arguments that are no options, in order; optional ones follow mandatory ones.
    var positionals: [PositionalSpecification] = []

    /// The options, in the order in which help lists them.
    var options: [OptionSpecification] = []

    /// Prose on what the command is about, where that is new to many.
    var guide: HelpGuide?

    /// Whole command lines that work.
    var examples: [String] = []

    /// The option of this name, or nil.
    func option(named name: String) -> OptionSpecification? {
        options.first { $0.name == name }
    }

    /// The options under the headings of help: the general ones first, the others as they come.
    var groupedOptions: [(group: String?, options: [OptionSpecification])] {
        var groups: [String?] = [nil]
        for option in options where !groups.contains(option.group) { groups.append(option.group) }
        return groups.map { group in (group, options.filter { $0.group == group }) }
    }
}
