import StrataInterchange
import StrataPersistence

/// The program: its commands and their exit codes.
enum Strata {
    private static let commands: [any (Command & SendableMetatype).Type] = [
        ImportCommand.self, ValidateCommand.self, ExportCommand.self, ShowCommand.self, QueryCommand.self,
        StatsCommand.self, WatchCommand.self, HistoryCommand.self,
        UpdateCommand.self, DeleteCommand.self, GenerateCommand.self, ModelCommand.self, InfoCommand.self,
        ReportCommand.self,
        CheckCommand.self, MigrateCommand.self, CopyCommand.self, MetadataCommand.self, DestroyCommand.self,
        CompletionsCommand.self, ManualCommand.self,
    ]

    static let program = ProgramSpecification(
        name: "strata",
        summary: "Import and export CSV and JSON datasets of SQLite stores that have a model.",
        commands: commands.map { $0.specification }, statuses: ExitCode.statuses,
        environment: [
            EnvironmentVariable(
                name: "COLUMNS", meaning: "The width of the terminal (default: as the terminal reports)."),
            EnvironmentVariable(
                name: "NO_COLOR", meaning: "If not empty, disables colors, except with --color always."),
            EnvironmentVariable(name: "TERM", meaning: "If missing, empty or dumb, disables colors."),
            EnvironmentVariable(
                name: "COLORTERM", meaning: "If truecolor or 24bit, swatches have 24-bit colors, not 256 colors."),
        ])

    /// Runs the command line of this process.
    ///
    /// - Returns: The exit code.
    static func main() -> Int32 {
        StandardDescriptors.fill()
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[number], String(validatingCString: word) == nil else { continue }
            return ExitCode.report(
                UsageError("argument \(number) is not valid UTF-8", program: program.name))
        }
        return run(Array(CommandLine.arguments.dropFirst()))
    }

    /// Runs one command line.
    ///
    /// - Returns: The exit code.
    static func run(_ arguments: [String]) -> Int32 {
        // Without the signal, writing to a closed pipe fails with an error, which ends the command without a message.
        signal(SIGPIPE, SIG_IGN)
        // Without the signal, exceeding the maximum file size is an error of the write too.
        signal(SIGXFSZ, SIG_IGN)
        if arguments.isEmpty {
            Console.write(HelpText(program: program).text(for: nil))
            return UsageError.exitCode
        }
        var called: CommandSpecification?
        do {
            switch try program.parse(arguments) {
            case .help(let command): try Console.print(HelpText(program: program).text(for: command))
            case .version: try Console.print("\(program.name) \(Version.number)\n")
            case .command(let arguments):
                guard let command = commands.first(where: { $0.specification.name == arguments.command.name }) else {
                    throw UsageError("unknown command \"\(arguments.command.name)\"", program: program.name)
                }
                called = command.specification
                let expanded = try ContainerArguments.expanded(arguments)
                try ForeignStore.replacing(expanded) { try command.run($0) }
            }
            return ExitCode.success
        } catch {
            return ExitCode.report(explained(error, called), words: arguments)
        }
    }

    /// Returns an error that names the option for a longer wait, if the command has this option.
    private static func explained(_ error: any Error, _ command: CommandSpecification?) -> any Error {
        guard var error = error as? PersistenceError, error.code == .locked else { return error }
        let hasOption = command?.option(named: "busy-timeout") != nil
        error.message = error.message.replacing(
            ", or raise the busy timeout", with: hasOption ? ", or wait longer with --busy-timeout SECONDS" : "")
        return error
    }
}
