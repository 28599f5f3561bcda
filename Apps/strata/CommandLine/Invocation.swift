/// The request that a command line makes.
enum Invocation: Sendable, Hashable {
    /// Help on the program, or on one of its commands.
    case help(CommandSpecification?)
    /// The version.
    case version
    /// A command with its parsed arguments.
    case command(ParsedArguments)
}
