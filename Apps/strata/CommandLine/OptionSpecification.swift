/// One option that a command takes: `--name VALUE`, or a flag without a value.
struct OptionSpecification: Sendable, Hashable {
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

    /// Whether the option takes no value.
    var isFlag: Bool { placeholder == nil }

    /// The option with its placeholder, as in `--map COLUMN=NAME`.
    var spelling: String {
        guard let placeholder else { return "--\(name)" }
        return "--\(name) \(placeholder)"
    }

    /// Specifies an option with a value.
    static func option(
        _ name: String,
        _ placeholder: String,
        _ help: String,
        isRepeatable: Bool = false,
        isRequired: Bool = false
    ) -> Self {
        Self(name: name, placeholder: placeholder, help: help, isRepeatable: isRepeatable, isRequired: isRequired)
    }

    /// Specifies an option without a value; giving it twice is giving it once.
    static func flag(_ name: String, _ help: String) -> Self {
        Self(name: name, placeholder: nil, help: help, isRepeatable: true, isRequired: false)
    }
}
