import Foundation

/// The failure of a system call on a file.
package struct FileError: Error {
    /// The failed operation, as the beginning of a message, such as `the file cannot be read`.
    package let operation: String
    /// The system's error number.
    package let number: Int32

    /// Creates the error of an operation, by default with the current value of `errno`.
    package init(_ operation: String, number: Int32 = errno) {
        self.operation = operation
        self.number = number
    }

    /// The system's text for the error number.
    package var reason: String { String(cString: strerror(number)) }
}

/// Makes a system call, and repeats it if a signal has interrupted it.
///
/// - Parameter call: A closure that makes the system call and returns its result, which is -1 for a failure.
/// - Returns: The result of the last call.
package func withoutInterruption<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
