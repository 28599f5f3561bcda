/// The program: its name and its commands.
struct ProgramSpecification: Sendable, Hashable {
    /// The name by which the program is called.
    let name: String

    /// One sentence for the first line of the help.
    let summary: String

    /// The commands, in the order in which help lists them.
    let commands: [CommandSpecification]

    /// The exit statuses of the program.
    var statuses: [ExitStatus] = []

    /// The environment variables that the program reads.
    var environment: [EnvironmentVariable] = []

    /// The options that are allowed without a command.
    static let globalOptions = ["help", "version"]

    /// Returns the command with a name, or `nil` if the program has none.
    func command(named name: String) -> CommandSpecification? {
        commands.first { $0.name == name }
    }
}
