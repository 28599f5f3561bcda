import StrataPersistence

/// The arguments of a command, already matched against its specification.
struct ParsedArguments: Sendable, Hashable {
    /// The program that was called.
    let program: ProgramSpecification

    /// The command that was called.
    let command: CommandSpecification

    /// The values of each option that has values, by the option's name, in the order of the command line.
    var values: [String: [String]] = [:]

    /// The flags that were given.
    var flags: Set<String> = []

    /// The positional arguments in order.
    var positionals: [String] = []

    /// The store that the user named, if a temporary store replaces it.
    var shownStore: String?

    /// Returns the last value of an option, or `nil` if the option was not given.
    func value(_ name: String) -> String? { values[name]?.last }

    /// Returns all values of a repeatable option, in the order in which they were given.
    func allValues(_ name: String) -> [String] { values[name] ?? [] }

    /// Returns a Boolean value that indicates whether a flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// Returns the value of a required option; the parser has already checked that it was given.
    func required(_ name: String) throws(UsageError) -> String {
        guard let value = value(name) else {
            throw usageError("missing option \(command.option(named: name)?.spelling ?? "--\(name)")")
        }
        return value
    }

    /// Returns the positional argument with a number from 0, or `nil` if it was omitted.
    func positional(_ index: Int) -> String? {
        positionals.indices.contains(index) ? positionals[index] : nil
    }

    /// Returns the value of an option as an integer in a range, or `nil` if the option was not given.
    func integer<Number: FixedWidthInteger>(
        _ name: String,
        in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let text = value(name) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw usageError(
                "option --\(name): \"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// Returns the value of an option as one of several words, or `nil` if it was not given; the case is ignored.
    func choice(_ name: String, among words: [String]) throws(UsageError) -> String? {
        try value(name).map { text throws(UsageError) in try choice(text, of: "option --\(name)", among: words) }
    }

    /// Returns the word that is equal to a text; the case is ignored.
    func choice(_ text: String, of what: String, among words: [String]) throws(UsageError) -> String {
        guard let word = words.first(where: { $0.lowercased() == text.lowercased() }) else {
            let suggestion = NearestName.suggestion(for: text, among: words)
            throw usageError("\(what): \"\(text)\" is not one of \(words.joined(separator: ", "))\(suggestion)")
        }
        return word
    }

    /// Returns an error that refers to this command's help.
    func usageError(_ message: String) -> UsageError {
        UsageError(message, program: program.name, command: command.name)
    }
}
