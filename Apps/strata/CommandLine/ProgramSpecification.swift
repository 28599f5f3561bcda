/// The program as a whole: its name and its commands.
struct ProgramSpecification: Sendable, Hashable {
    /// The name under which the program is called.
    let name: String

    /// One sentence for the head of the help.
    let summary: String

    /// The commands, in the order in which help lists them.
    let commands: [CommandSpecification]

    /// How the program can end.
    var statuses: [ExitStatus] = []

    /// The variables of the environment that it looks at.
    var environment: [EnvironmentVariable] = []

    /// The options that stand without a command.
    static let globalOptions = ["help", "version"]

    /// The command of this name, or nil.
    func command(named name: String) -> CommandSpecification? {
        commands.first { $0.name == name }
    }
}
