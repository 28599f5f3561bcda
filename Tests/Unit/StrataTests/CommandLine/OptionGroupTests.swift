import Testing

@testable import strata

@Suite("Option groups and letters")
struct OptionGroupTests {
    private static let many = CommandSpecification(
        name: "many", summary: "Does much.",
        options: [
            .option("output", placeholder: "FILE", help: "Where to.", letter: "o"),
            .flag("trim", "Cut.", group: "Reading"),
            .flag("quiet", "Say nothing.", letter: "q"),
            .option("to", placeholder: "N", help: "Until.", isRequired: true, group: "Writing"),
            .option("quote", placeholder: "CHAR", help: "Around.", group: "Reading"),
        ])
    private static let program = ProgramSpecification(name: "p", summary: "P.", commands: [many])

    @Test("the help lists options under their headings, with the general options first")
    func help() {
        #expect(
            HelpText(program: Self.program).text(for: Self.many) == """
                Does much.

                Usage: p many [--output FILE] [--trim] [--quiet] --to N [--quote CHAR]

                Options:
                  -o, --output FILE  Where to.
                  -q, --quiet        Say nothing.
                  -h, --help         Show this help.

                Reading:
                  --trim        Cut.
                  --quote CHAR  Around.

                Writing:
                  --to N  Until. Required.

                """)
    }

    @Test("the usage line of a command with many options lists only the mandatory options")
    func usage() {
        let command = CommandSpecification(
            name: "c", summary: "C.",
            options: (1...9).map { .option("o\($0)", placeholder: "N", help: "N.", isRequired: $0 == 5) })
        #expect(HelpText(program: Self.program).text(for: command).contains("\nUsage: p c --o5 N [OPTIONS]\n"))
    }

    @Test("an option can be written as a name or a letter, each with = or a space before the value")
    func letters() throws {
        for words in [["-o", "f", "-q"], ["-q", "-o=f"], ["--quiet", "--output=f"]] {
            guard case .command(let arguments) = try Self.program.parse(["many", "--to", "1"] + words) else {
                Issue.record("no command")
                return
            }
            #expect(arguments.value("output") == "f" && arguments.has("quiet"))
        }
        #expect(throws: UsageError.self) { try Self.program.parse(["many", "--to", "1", "-x"]) }
        #expect(throws: UsageError.self) { try Self.program.parse(["many", "--to", "1", "--o", "f"]) }
    }

    @Test(
        "an option before the command is rejected with the advice to write it after the command",
        arguments: ["-q", "--quiet", "-quiet"])
    func tooEarly(word: String) {
        let shown = word == "-quiet" ? "--quiet" : word
        let error = #expect(throws: UsageError.self) { try Self.program.parse([word, "many", "--to", "1"]) }
        #expect(error?.message == "option \(shown) is before the command; write it after the command")
    }

    @Test("`help help` prints the general help")
    func helpOnHelp() throws {
        #expect(try Self.program.parse(["help", "help"]) == .help(nil))
    }

    @Test("the letter -V prints the version")
    func version() throws {
        #expect(try Self.program.parse(["-V"]) == .version)
    }

    @Test("no command has an option twice, and each option letter has the same meaning in all commands")
    func unambiguous() {
        var meanings: [Character: String] = [:]
        for command in Strata.program.commands {
            let forms = command.options.flatMap(\.forms) + ["-h", "--help"]
            #expect(Set(forms).count == forms.count, "\(command.name)")
            for option in command.options {
                guard let letter = option.letter else { continue }
                #expect(meanings[letter] ?? option.name == option.name)
                meanings[letter] = option.name
            }
        }
    }

    @Test("every command has examples, and the parser accepts all examples")
    func examples() throws {
        for command in Strata.program.commands {
            #expect(!command.examples.isEmpty, "\(command.name)")
            for line in command.examples {
                for call in Self.calls(line) where call.first == "strata" {
                    #expect(throws: Never.self, "\(line)") { try Strata.program.parse(Array(call.dropFirst())) }
                }
                #expect(line.contains("strata \(command.name)"))
            }
        }
    }

    /// Splits a line into the words of its commands; supports only quotes, pipes and redirections.
    private static func calls(_ line: String) -> [[String]] {
        var calls: [[String]] = [[]]
        var word: String?
        var quote: Character?
        func end() {
            if let found = word { calls[calls.count - 1].append(found) }
            word = nil
        }
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                end()
            } else if character == "|" || character == ">" {
                end()
                calls.append([])
            } else {
                word = (word ?? "") + String(character)
            }
        }
        end()
        return calls
    }

    @Test("a call without a command prints help on standard error and exits 64")
    func nothing() throws {
        let result = try Tool.debug.run([], in: TemporaryFolder())
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors == HelpText(program: Strata.program).text(for: nil))
        #expect(result.errors.contains("\nExit status:\n  0    The command succeeded.\n"))
    }
}
