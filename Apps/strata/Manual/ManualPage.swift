/// The program's manual page, strata(1), derived from the specifications of its commands.
struct ManualPage {
    let program: ProgramSpecification
    let version: String
    /// The date of the version, as in `2026-11-21`.
    let date: String

    /// The page in the language of man(7), which ends with a line break.
    var text: String {
        var page = Roff()
        page.raw(".TH \(program.name.uppercased()) 1 \(date) \"\(program.name) \(version)\" \"User Commands\"")
        page.section("NAME")
        page.raw("\(program.name) \\- \(Roff.escaped(Self.phrase(program.summary)))")
        page.section("SYNOPSIS")
        page.raw(
            "\(Roff.bold(program.name)) \(Roff.italic("COMMAND")) [\(Roff.italic("ARGUMENTS"))] [\(Roff.italic("OPTIONS"))]"
        )
        page.section("DESCRIPTION")
        for text in Self.description { page.paragraph(text) }
        page.section("COMMANDS")
        for command in program.commands { page.entry(Roff.bold(command.name), command.summary) }
        page.entry("\(Roff.bold("help")) \(Roff.italic("COMMAND"))", "Show the help of a command.")
        page.section("OPTIONS")
        page.entry("\(Roff.bold("-h")), \(Roff.bold("--help"))", "Show help; after a command, the help of the command.")
        page.entry("\(Roff.bold("-V")), \(Roff.bold("--version"))", "Show the version.")
        for command in program.commands { append(command, to: &page) }
        page.section("PREDICATES")
        for text in Self.predicates { page.paragraph(text) }
        page.example(Self.predicateExamples)
        page.section("SELECTIONS")
        for text in Self.selections { page.paragraph(text) }
        page.example(Self.selectionExamples)
        page.section("EXIT STATUS")
        for status in program.statuses { page.entry(Roff.bold(String(status.code)), status.meaning) }
        page.section("ENVIRONMENT")
        for variable in program.environment { page.entry(Roff.bold(variable.name), variable.meaning) }
        page.section("FILES")
        for (name, meaning) in Self.files { page.entry(Roff.italic(name), meaning) }
        page.section("SEE ALSO")
        page.raw("\(Roff.bold("sqlite3"))(1), \(Roff.bold("gzip"))(1), \(Roff.bold("zstd"))(1)")
        return page.lines.joined(separator: "\n") + "\n"
    }

    private func append(_ command: CommandSpecification, to page: inout Roff) {
        page.section("\(program.name) \(command.name)".uppercased())
        page.paragraph(command.summary)
        for positional in command.positionals {
            let details = positional.details.isEmpty ? "" : " " + positional.details
            page.entry(Roff.italic(positional.placeholder), positional.help + details)
        }
        for (group, options) in command.groupedOptions where !options.isEmpty {
            if let group { page.subsection(group) }
            for option in options {
                let value = option.placeholder.map { " \(Roff.italic($0))" } ?? ""
                let forms = option.forms.map(Roff.bold).joined(separator: ", ")
                let details = option.details.isEmpty ? "" : " " + option.details
                page.entry(forms + value, option.help + option.note + details)
            }
        }
        if let guide = command.guide {
            page.subsection(guide.title)
            for block in guide.blocks {
                switch block {
                case .text(let text): page.paragraph(text)
                case .lines(let lines): page.example(lines)
                }
            }
        }
        page.subsection("Examples")
        page.example(command.examples)
    }

    /// Returns a sentence in the form for the NAME section.
    private static func phrase(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
