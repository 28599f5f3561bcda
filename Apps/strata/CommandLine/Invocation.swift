/// What a command line asks for.
enum Invocation: Sendable, Hashable {
    /// Help on the program, or on one of its commands.
    case help(CommandSpecification?)
    /// The version.
    case version
    /// A command with what was given to it.
    case command(ParsedArguments)
}
