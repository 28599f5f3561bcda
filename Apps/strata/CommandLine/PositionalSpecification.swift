/// One argument that is no option.
struct PositionalSpecification: Sendable, Hashable {
    /// What stands for the argument in help and errors, as in `FILE`.
    let placeholder: String

    /// What the argument is, for help.
    let help: String

    /// Whether the argument may be left out.
    var isOptional = false

    /// Whether there may be several; only the last one may.
    var isRepeatable = false

    /// What it can be.
    var values = OptionSpecification.Values.file
}
