/// An error that ends an interrupted command, with a message on the consequences.
struct Interrupted: Error {
    let message: String
}
