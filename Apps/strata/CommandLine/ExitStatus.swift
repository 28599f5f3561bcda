/// One way in which the program ends.
struct ExitStatus: Sendable, Hashable {
    /// The number that the shell sees.
    let code: Int32

    /// What it means.
    let meaning: String
}
