/// An error of the generator, in the form that build systems show.
struct BuildError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
