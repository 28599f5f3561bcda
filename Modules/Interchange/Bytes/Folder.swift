#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Functions that synchronize folders, whose entries are written to the disk separately from the content of files.
enum Folder {
    /// Returns the path of the folder that contains a file.
    static func path(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Writes the entries of the folder that contains a file to the disk.
    static func synchronize(holding file: String) throws(InterchangeError) {
        let descriptor = open(path(of: file), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { _ = close(descriptor) } }
        try synchronize(descriptor, path: file)
    }

    /// Writes the entries of an open folder to the disk.
    ///
    /// If the folder cannot be read or the file system does not support the synchronization, this function does
    /// nothing.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor of the folder, or a negative number if the folder could not be opened.
    ///   - path: The path that the error contains.
    /// - Throws: ``InterchangeError/Code/outputFailed`` if the synchronization fails.
    static func synchronize(_ descriptor: Int32, path: String) throws(InterchangeError) {
        guard descriptor >= 0, fsync(descriptor) != 0, ![EINVAL, EROFS, ENOSYS, ENOTSUP].contains(errno) else { return }
        let number = errno
        var error = InterchangeError.output(path, failedWith: number)
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        error.message =
            "the file was written, but its directory cannot be synchronized, so a power failure may remove the file: "
            + "\(reason)"
        throw error
    }
}
