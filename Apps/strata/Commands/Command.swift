/// A command of the program.
protocol Command: Sendable {
    /// The specification from which the arguments are parsed and the help is printed.
    static var specification: CommandSpecification { get }

    /// Runs the command.
    static func run(_ arguments: ParsedArguments) throws
}
