import Foundation
import StrataCore

extension PersistenceError {
    /// Returns the error for a failed system call on a file.
    ///
    /// - Parameters:
    ///   - number: The system's error number.
    ///   - what: The failed operation, as the beginning of a message, such as `the store cannot be read`.
    ///   - path: The path of the file.
    /// - Returns: An error whose code corresponds to the error number.
    static func system(_ number: Int32, _ what: String, path: String) -> PersistenceError {
        let code: Code =
            switch number {
            // For a writer, a limit of the file size has the same effect as a full disk.
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EACCES, EPERM, EROFS: .permissionDenied
            default: .inputOutput
            }
        let remedy = code == .diskFull ? "; nothing was changed" : ""
        return PersistenceError(code, "\(what): \(String(cString: strerror(number)))\(remedy)", path: path)
    }
}

/// Makes a system call, and repeats it if a signal has interrupted it.
///
/// - Parameter call: A closure that makes the system call and returns its result, which is -1 for a failure.
/// - Returns: The result of the last call.
func withoutInterruption<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
