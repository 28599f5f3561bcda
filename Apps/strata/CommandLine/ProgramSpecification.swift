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

/// One way in which the program ends.
struct ExitStatus: Sendable, Hashable {
    /// The number that the shell sees.
    let code: Int32

    /// What it means.
    let meaning: String
}

/// One variable of the environment that the program looks at.
struct EnvironmentVariable: Sendable, Hashable {
    let name: String

    /// What it changes.
    let meaning: String
}

/// What a command line asks for.
enum Invocation: Sendable, Hashable {
    /// Help on the program, or on one of its commands.
    case help(CommandSpecification?)
    /// The version.
    case version
    /// A command with what was given to it.
    case command(ParsedArguments)
}
