/// One option of a command: `--name VALUE`, or a flag without a value.
struct OptionSpecification: Sendable, Hashable {
    /// The kinds of values that an option can have, for completion and for checks.
    enum Values: Sendable, Hashable {
        /// Any text.
        case any
        /// One of the given words.
        case words([String])
        /// The name of an entity of the model.
        case entity
        /// A list of names of an entity's properties.
        case properties
        /// A list of expressions, or a condition.
        case expression
        /// The path of a file.
        case file
    }

    /// The name without its two dashes, as in `ignore-unknown-columns`.
    let name: String

    /// The placeholder for the value in help, as in `FILE`, or `nil` for a flag.
    let placeholder: String?

    /// The effect of the option, for help; it takes at most two lines there.
    let help: String

    /// The sentences that only the manual contains, after the help text.
    var details = ""

    /// A Boolean value that indicates whether the option can be given more than once.
    let isRepeatable: Bool

    /// A Boolean value that indicates whether the option is mandatory.
    let isRequired: Bool

    /// The letter of the short form, as in `-o`.
    var letter: Character?

    /// The heading under which help lists the option, or `nil` for the general heading.
    var group: String?

    /// The kind of values that the option accepts.
    var values = Values.any

    /// A Boolean value that indicates whether the option takes no value.
    var isFlag: Bool { placeholder == nil }

    /// The option with its placeholder, as in `--map COLUMN=NAME`.
    var spelling: String {
        guard let placeholder else { return "--\(name)" }
        return "--\(name) \(placeholder)"
    }

    /// The ways to write the option without a value: `-o` and `--output`.
    var forms: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

    /// The words that state, after the help text, whether the option is required or repeatable.
    var note: String {
        (isRequired ? " Required." : "") + (isRepeatable && !isFlag ? " Repeatable." : "")
    }

    /// Returns the specification of an option with a value.
    static func option(
        _ name: String,
        placeholder: String,
        help: String,
        details: String = "",
        letter: Character? = nil,
        isRepeatable: Bool = false,
        isRequired: Bool = false,
        group: String? = nil,
        values: Values = .any
    ) -> Self {
        Self(
            name: name, placeholder: placeholder, help: help, details: details, isRepeatable: isRepeatable,
            isRequired: isRequired, letter: letter, group: group, values: values)
    }

    /// Returns the specification of an option without a value; a repeated flag has no further effect.
    static func flag(
        _ name: String, _ help: String, details: String = "", letter: Character? = nil, group: String? = nil
    ) -> Self {
        Self(
            name: name, placeholder: nil, help: help, details: details, isRepeatable: true, isRequired: false,
            letter: letter, group: group)
    }
}
