/// One variable of the environment that the program looks at.
struct EnvironmentVariable: Sendable, Hashable {
    let name: String

    /// What it changes.
    let meaning: String
}
