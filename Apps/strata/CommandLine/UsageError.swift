/// A command line that cannot be understood: what is wrong with it, and where to read on.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The exit code for wrong usage, `EX_USAGE` of sysexits.h.
    static let exitCode: Int32 = 64

    /// What is wrong, and what to write instead where that can be guessed.
    let message: String

    /// The call that shows help, as in `strata help import`.
    let helpCall: String

    /// Reports a mistake in what follows a command, or in the choice of the command where there is none.
    init(_ message: String, program: String, command: String? = nil) {
        self.message = message
        helpCall = command.map { "\(program) help \($0)" } ?? "\(program) --help"
    }

    /// Two lines: the message and where to read on.
    var description: String { "\(message)\nRun '\(helpCall)' for usage." }
}
