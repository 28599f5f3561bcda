/// One option that a command takes: `--name VALUE`, or a flag without a value.
struct OptionSpecification: Sendable, Hashable {
    /// What an option's value can be: for completion and for checks.
    enum Values: Sendable, Hashable {
        /// Anything.
        case any
        /// One of a few words.
        case words([String])
        /// The name of an entity of the model.
        case entity
        /// Names of an entity's properties, or a text that begins with one.
        case properties
        /// The path of a file.
        case file
    }

    /// The name without its two dashes, as in `ignore-unknown-columns`.
    let name: String

    /// What stands for the value in help, as in `FILE`; nil for a flag.
    let placeholder: String?

    /// What the option does, for help; it may be long and is wrapped.
    let help: String

    /// Whether the option may be given more than once.
    let isRepeatable: Bool

    /// Whether the command cannot do without it.
    let isRequired: Bool

    /// The letter of its short form, as in `-o`.
    var letter: Character?

    /// The heading under which help lists it; nil is the general one.
    var group: String?

    /// What its value can be.
    var values = Values.any

    /// Whether the option takes no value.
    var isFlag: Bool { placeholder == nil }

    /// The option with its placeholder, as in `--map COLUMN=NAME`.
    var spelling: String {
        guard let placeholder else { return "--\(name)" }
        return "--\(name) \(placeholder)"
    }

    /// The ways to write it, without a value: `-o` and `--output`.
    var forms: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

    /// What is said behind its help: whether it must or may be given several times.
    var note: String {
        if isRequired { return " Required." }
        return isRepeatable && !isFlag ? " May be given more than once." : ""
    }

    /// Specifies an option with a value.
    static func option(
        _ name: String,
        placeholder: String,
        help: String,
        letter: Character? = nil,
        isRepeatable: Bool = false,
        isRequired: Bool = false,
        group: String? = nil,
        values: Values = .any
    ) -> Self {
        Self(
            name: name, placeholder: placeholder, help: help, isRepeatable: isRepeatable, isRequired: isRequired,
            letter: letter, group: group, values: values)
    }

    /// Specifies an option without a value; giving it twice is giving it once.
    static func flag(_ name: String, _ help: String, letter: Character? = nil, group: String? = nil) -> Self {
        Self(
            name: name, placeholder: nil, help: help, isRepeatable: true, isRequired: false, letter: letter,
            group: group)
    }
}
