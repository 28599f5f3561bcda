/// An error in a command line, with the command that prints the relevant help.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The exit code for wrong usage, `EX_USAGE` of sysexits.h.
    static let exitCode: Int32 = 64

    /// The mistake, and a correction if the program can guess one.
    let message: String

    /// The command that prints the help, as in `strata help import`.
    let helpCall: String

    /// Creates an error about the arguments of a command, or about the choice of the command if it is `nil`.
    init(_ message: String, program: String, command: String? = nil) {
        self.message = message
        helpCall = command.map { "\(program) help \($0)" } ?? "\(program) --help"
    }

    /// Two lines: the message, and the command that prints the help.
    var description: String { "\(message)\nRun '\(helpCall)' for usage." }
}
