import Foundation
import StrataCore

extension PersistenceError {
    /// What the system says against a file.
    ///
    /// - Parameters:
    ///   - number: The system's error number.
    ///   - what: What was not possible, as a sentence begins: `the store cannot be read`.
    ///   - path: The file.
    /// - Returns: An error with the code for the number.
    static func system(_ number: Int32, _ what: String, path: String) -> PersistenceError {
        let code: Code =
            switch number {
            // A limit on the size of files is to whoever writes what a full disk is.
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EACCES, EPERM, EROFS: .permissionDenied
            default: .inputOutput
            }
        let remedy = code == .diskFull ? "; nothing was changed" : ""
        return PersistenceError(code, "\(what): \(String(cString: strerror(number)))\(remedy)", path: path)
    }
}

/// Calls again what a signal has interrupted.
///
/// - Parameter call: A call of the system's that gives -1 where it fails.
/// - Returns: What it gives at last.
func withoutInterruption<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
