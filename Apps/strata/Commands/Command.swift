/// One command of the program.
protocol Command: Sendable {
    /// What it takes, for parsing and help.
    static var specification: CommandSpecification { get }

    /// Does it.
    static func run(_ arguments: ParsedArguments) throws
}
