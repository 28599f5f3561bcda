/// An exit status of the program.
struct ExitStatus: Sendable, Hashable {
    /// The number that the shell receives.
    let code: Int32

    /// The meaning of the status, for help.
    let meaning: String
}
