/// An error in a ZIP archive or in a part of one.
package struct ContainerError: Error, Equatable {
    /// The kinds of failure, one for each reaction of a program.
    package enum Code: Sendable {
        /// The bytes violate the rules of their format.
        case malformed
        /// The format has a feature that is not supported, or a limit is exceeded.
        case unsupported
        /// The file cannot be read.
        case unreadable
    }

    /// The kind of failure.
    package let code: Code
    /// The name of the archive's entry; `nil` if the error concerns the whole archive.
    package let entry: String?
    /// The description of the problem, without a final period.
    package let message: String
    /// The system's error number; `nil` if no system call failed.
    package let errorNumber: Int32?
    /// The offset of the error in its XML document, in bytes; `nil` if the error is of another kind.
    package let offset: Int?

    /// Creates an error.
    package init(
        _ code: Code, _ message: String, entry: String? = nil, errorNumber: Int32? = nil, offset: Int? = nil
    ) {
        (self.code, self.message, self.entry, self.errorNumber) = (code, message, entry, errorNumber)
        self.offset = offset
    }

    /// Returns the error with the name of an entry.
    func inEntry(_ name: String) -> ContainerError {
        ContainerError(code, message, entry: entry ?? name, errorNumber: errorNumber, offset: offset)
    }
}
