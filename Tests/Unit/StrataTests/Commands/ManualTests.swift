import Foundation
import Testing

@testable import strata

@Suite("Manual")
struct ManualTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write(try Tool.debug.run(["manual"], in: folder).output, to: "strata.1")
    }

    @Test("the manual lists all commands, options, examples, exit statuses and environment variables")
    func complete() throws {
        let page = try folder.text("strata.1")
        for command in Strata.program.commands {
            #expect(page.contains("\n.SH \"STRATA \(command.name.uppercased())\"\n"))
            for option in command.options { #expect(page.contains(Roff.bold("--\(option.name)"))) }
            for example in command.examples { #expect(page.contains("\n\(Roff.escaped(example))\n")) }
        }
        for status in ExitCode.statuses { #expect(page.contains("\n\\fB\(status.code)\\fP\n")) }
        for name in ["NO_COLOR", "COLUMNS"] { #expect(page.contains("\n\\fB\(name)\\fP\n")) }
        for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "\"EXIT STATUS\"", "ENVIRONMENT", "FILES", "\"SEE ALSO\""] {
            #expect(page.contains("\n.SH \(title)\n"))
        }
    }

    @Test("the manual has the help and the details of every option and argument")
    func details() throws {
        let page = try folder.text("strata.1")
        for command in Strata.program.commands {
            let texts =
                command.options.map { ($0.help + $0.note, $0.details) }
                + command.positionals.map { ($0.help, $0.details) }
            for (help, details) in texts {
                let text = Roff.escaped(details.isEmpty ? help : "\(help) \(details)")
                #expect(page.contains("\n\(text)\n"), "\(command.name): \(help)")
            }
        }
        #expect(Strata.program.command(named: "import")?.option(named: "flatten")?.details.isEmpty == false)
    }

    @Test("groff formats the manual without a warning", .needs("groff"))
    func groff() throws {
        let result = try Tool.debug.shell("groff -man -Tutf8 -ww -z strata.1", in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    @Test("mandoc formats the manual without a warning", .needs("mandoc"))
    func mandoc() throws {
        let result = try Tool.debug.shell("mandoc -T lint -W warning strata.1", in: folder)
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }

    @Test("the manual escapes texts that roff would read as commands")
    func escapes() {
        var page = Roff()
        page.section("A")
        page.paragraph(".hidden \\n 'x' --y")
        page.paragraph("'z")
        #expect(page.lines == [".SH A", "\\&.hidden \\en \\(aqx\\(aq \\-\\-y", ".PP", "\\(aqz"])
    }
}
