import StrataPersistence

extension ProgramSpecification {
    /// Parses a command line that does not contain the program's name.
    ///
    /// `-h` and `--help` anywhere before `--` request help, even if the rest of the line is invalid.
    func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        let options = arguments.prefix { $0 != "--" }
        if options.contains(where: { $0 == "-h" || $0 == "--help" }) {
            return .help(options.lazy.compactMap { command(named: $0) }.first)
        }
        guard let first = arguments.first else { throw UsageError("missing command", program: name) }
        if first == "--version" || first == "-V" {
            guard arguments.count == 1 else { throw surplus(arguments[1], after: first) }
            return .version
        }
        if first == "help" { return try parseHelp(arguments.dropFirst()) }
        guard let command = command(named: first) else { throw unknown(first) }
        var parser = CommandParser(program: self, command: command)
        return .command(try parser.parse(Array(arguments.dropFirst())))
    }

    private func parseHelp(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
        guard let topic = arguments.first else { return .help(nil) }
        if topic == "help", arguments.count == 1 { return .help(nil) }
        guard let command = command(named: topic) else { throw unknown(topic) }
        if let next = arguments.dropFirst().first { throw surplus(next, after: "help \(topic)") }
        return .help(command)
    }

    private func surplus(_ argument: String, after words: String) -> UsageError {
        UsageError("unexpected argument \"\(argument)\" after \(words)", program: name)
    }

    private func unknown(_ word: String) -> UsageError {
        guard word.hasPrefix("-"), word != "-" else {
            let suggestion = NearestName.suggestion(for: word, among: commands.map(\.name) + ["help"])
            return UsageError("unknown command \"\(word)\"\(suggestion)", program: name)
        }
        let form = String(word.prefix { $0 != "=" })
        let option = String(form.drop { $0 == "-" })
        let known = commands.lazy.flatMap(\.options).first { $0.forms.contains(form) || $0.name == option }
        if let known {
            return UsageError(
                "option \(known.forms.contains(form) ? form : "--\(option)") is before the command; write it after the command",
                program: name)
        }
        let suggestion = NearestName.suggestion(for: option, among: Self.globalOptions, prefix: "--")
        return UsageError("unknown option \(word)\(suggestion)", program: name)
    }
}
