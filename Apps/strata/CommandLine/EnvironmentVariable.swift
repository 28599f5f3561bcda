/// An environment variable that the program reads.
struct EnvironmentVariable: Sendable, Hashable {
    let name: String

    /// The effect of the variable, for help.
    let meaning: String
}
