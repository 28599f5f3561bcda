import Foundation

extension InterchangeError {
    /// Returns the error for an input that cannot be opened or read.
    ///
    /// A missing file is distinguished from a denied access and from a failing device, because a program reports them
    /// with different exit statuses.
    ///
    /// - Parameters:
    ///   - path: The name of the input as the user specified it.
    ///   - number: The system's error number.
    /// - Returns: The error, with the system's error text.
    static func input(_ path: String, failedWith number: Int32) -> InterchangeError {
        let code: Code
        switch number {
        case ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP, EINVAL, ENXIO: code = .inputNotFound
        case EACCES, EPERM: code = .permission
        default: code = .unreadable
        }
        return system(code, path: path, while: "cannot be read", errno: number)
    }

    /// Returns the error for an output that cannot be created.
    ///
    /// - Parameters:
    ///   - path: The name of the output as the user specified it.
    ///   - number: The system's error number.
    /// - Returns: The error, with the system's error text.
    static func creation(of path: String, failedWith number: Int32) -> InterchangeError {
        switch number {
        case EACCES, EPERM, EROFS: system(.permission, path: path, while: "cannot be created", errno: number)
        case ENOSPC, EDQUOT, EIO: system(.outputFailed, path: path, while: "cannot be created", errno: number)
        default: system(.cannotCreate, path: path, while: "cannot be created", errno: number)
        }
    }

    /// Returns the error for an output that cannot be written.
    ///
    /// - Parameters:
    ///   - path: The name of the output as the user specified it.
    ///   - number: The system's error number.
    /// - Returns: The error, with the system's error text.
    static func output(_ path: String, failedWith number: Int32) -> InterchangeError {
        system(number == EPIPE ? .closedPipe : .outputFailed, path: path, while: "cannot be written", errno: number)
    }

    private static func system(_ code: Code, path: String, while what: String, errno number: Int32) -> InterchangeError
    {
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return InterchangeError(code, source: path, message: "\(what): \(reason)", errorNumber: number)
    }
}
