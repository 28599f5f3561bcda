import Foundation

extension PersistenceError {
    /// Returns the error for a failed system call on a file.
    ///
    /// - Parameters:
    ///   - number: The system's error number.
    ///   - what: The failed operation, as the beginning of a message, such as `the store cannot be read`.
    ///   - path: The path of the file.
    /// - Returns: An error whose code corresponds to the error number.
    package static func system(_ number: Int32, _ what: String, path: String) -> PersistenceError {
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
