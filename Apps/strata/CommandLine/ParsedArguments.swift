import StrataPersistence

/// What was given to a command, already matched against what it takes.
struct ParsedArguments: Sendable, Hashable {
    /// The program that was called.
    let program: ProgramSpecification

    /// The command that was called.
    let command: CommandSpecification

    /// The values of the options that have one, in the order in which they were given.
    var values: [String: [String]] = [:]

    /// The flags that were given.
    var flags: Set<String> = []

    /// The arguments that are no options, in order.
    var positionals: [String] = []

    /// The value of an option, or nil where it was not given.
    func value(_ name: String) -> String? { values[name]?.last }

    /// All values of a repeatable option, in the order in which they were given.
    func allValues(_ name: String) -> [String] { values[name] ?? [] }

    /// Whether a flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The value of an option that must have been given; parsing has made sure of those declared so.
    func required(_ name: String) throws(UsageError) -> String {
        guard let value = value(name) else {
            throw usageError("missing option \(command.option(named: name)?.spelling ?? "--\(name)")")
        }
        return value
    }

    /// The positional argument with this number from 0, or nil where it was left out.
    func positional(_ index: Int) -> String? {
        positionals.indices.contains(index) ? positionals[index] : nil
    }

    /// The value of an option as a whole number in a range, or nil where it was not given.
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

    /// The value of an option as one of several words, whatever its case, or nil where it was not given.
    func choice(_ name: String, among words: [String]) throws(UsageError) -> String? {
        try value(name).map { text throws(UsageError) in try choice(text, of: "option --\(name)", among: words) }
    }

    /// One of several words, whatever its case.
    func choice(_ text: String, of what: String, among words: [String]) throws(UsageError) -> String {
        guard let word = words.first(where: { $0.lowercased() == text.lowercased() }) else {
            let suggestion = NearestName.suggestion(for: text, among: words)
            throw usageError("\(what): \"\(text)\" is none of \(words.joined(separator: ", "))\(suggestion)")
        }
        return word
    }

    /// An error that points to this command's help.
    func usageError(_ message: String) -> UsageError {
        UsageError(message, program: program.name, command: command.name)
    }
}
