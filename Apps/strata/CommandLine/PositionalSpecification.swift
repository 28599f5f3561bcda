/// One positional argument of a command.
struct PositionalSpecification: Sendable, Hashable {
    /// The placeholder for the argument in help and errors, as in `FILE`.
    let placeholder: String

    /// The meaning of the argument, for help; it takes at most two lines there.
    let help: String

    /// The sentences that the manual adds to the help text.
    var details = ""

    /// A Boolean value that indicates whether the argument can be omitted.
    var isOptional = false

    /// A Boolean value that indicates whether the argument can be repeated; only the last one can.
    var isRepeatable = false

    /// The kind of values that the argument accepts.
    var values = OptionSpecification.Values.file
}
