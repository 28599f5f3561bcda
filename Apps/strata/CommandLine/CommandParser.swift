import StrataPersistence

/// A parser that matches the words after a command's name against the command's specification.
///
/// Options are allowed in any order before, between and after the positional arguments.
/// They are written as `--name value` or `--name=value`, and some also as `-n value`. `--` ends the options.
/// `-` is a positional argument or a value; by convention, it means standard input or standard output.
struct CommandParser {
    private let command: CommandSpecification
    private var parsed: ParsedArguments
    /// The words of the command line that follow the command's name.
    private var words: [String] = []

    init(program: ProgramSpecification, command: CommandSpecification) {
        self.command = command
        parsed = ParsedArguments(program: program, command: command)
    }

    mutating func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
        self.words = words
        var position = 0
        var optionsEnded = false
        while position < words.count {
            let word = words[position]
            let next = position + 1 < words.count ? words[position + 1] : nil
            position += 1
            if optionsEnded || !Self.looksLikeOption(word) {
                try add(positional: word)
            } else if word == "--" {
                optionsEnded = true
            } else if try add(option: word, next: next) {
                position += 1
            }
        }
        try requireEverything()
        return parsed
    }

    /// Returns a Boolean value that indicates whether a word begins with a dash and has more characters.
    private static func looksLikeOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word != "-"
    }

    /// Returns a Boolean value that indicates whether a word can be the value of the option before it.
    ///
    /// Negative numbers can be values; other options cannot.
    private static func mayBeValue(_ word: String) -> Bool {
        guard looksLikeOption(word) else { return true }
        return word.dropFirst().first?.isNumber ?? false
    }

    private mutating func add(positional word: String) throws(UsageError) {
        guard parsed.positionals.count < command.positionals.count || command.positionals.last?.isRepeatable == true
        else {
            throw parsed.usageError("unexpected argument \"\(word)\"\(optionMeant(by: word))")
        }
        parsed.positionals.append(word)
    }

    /// Returns a suggestion for a message: the required file option that is missing, if there is exactly one and the
    /// word may be its value.
    private func optionMeant(by word: String) -> String {
        let missing = command.options.filter { option in
            option.isRequired && option.values == .file
                && !words.contains { word in
                    option.forms.contains { word == $0 || word.hasPrefix($0 + "=") }
                }
        }
        guard missing.count == 1, let option = missing.first else { return "" }
        return "; did you mean --\(option.name) \(word)?"
    }

    /// Parses one option and returns a Boolean value that indicates whether the next word was its value.
    private mutating func add(option word: String, next: String?) throws(UsageError) -> Bool {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let spelling = String(parts.first ?? "")
        guard let option = command.options.first(where: { $0.forms.contains(spelling) }) else {
            throw unknown(spelling)
        }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if option.isFlag {
            guard attached == nil else { throw parsed.usageError("option \(spelling) does not accept a value") }
            parsed.flags.insert(option.name)
            return false
        }
        if parsed.values[option.name] != nil, !option.isRepeatable {
            throw parsed.usageError("option \(spelling) is given twice, but accepts only one value")
        }
        guard let value = attached ?? next, attached != nil || Self.mayBeValue(value) else {
            throw missingValue(of: option, next: next)
        }
        parsed.values[option.name, default: []].append(value)
        return attached == nil
    }

    private func requireEverything() throws(UsageError) {
        if let missing = command.positionals.dropFirst(parsed.positionals.count).first(where: { !$0.isOptional }) {
            throw parsed.usageError("missing argument \(missing.placeholder)")
        }
        let missing = command.options.filter { $0.isRequired && parsed.values[$0.name] == nil }
        guard missing.isEmpty else {
            let noun = missing.count == 1 ? "option" : "options"
            throw parsed.usageError("missing \(noun) \(missing.map(\.spelling).joined(separator: ", "))")
        }
    }

    private func missingValue(of option: OptionSpecification, next: String?) -> UsageError {
        let message = "missing value: \(option.spelling)"
        guard let next, next != "--" else { return parsed.usageError(message) }
        return parsed.usageError("\(message); write a value that begins with a dash as --\(option.name)=\(next)")
    }

    private func unknown(_ spelling: String) -> UsageError {
        let name = String(spelling.drop { $0 == "-" })
        let suggestion = NearestName.suggestion(for: name, among: command.options.map(\.name) + ["help"], prefix: "--")
        return parsed.usageError("unknown option \(spelling)\(suggestion)")
    }
}
