import Foundation
import StrataCore

extension PersistenceError {
    /// Returns the error for a failed system call on a file.
    ///
    /// - Parameters:
    ///   - number: The system's error number.
    ///   - what: The failed operation as the beginning of a sentence, such as `the store cannot be read`.
    ///   - path: The path of the file.
    /// - Returns: An error with the code for the number.
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

/// Repeats a system call that a signal has interrupted.
///
/// - Parameter call: A system call that returns -1 if it fails.
/// - Returns: The result of the last call.
func withoutInterruption<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
