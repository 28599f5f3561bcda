/// Ends a command that was interrupted, and says what that means.
struct Interrupted: Error {
    let message: String
}
