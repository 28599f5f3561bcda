#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a folder lists, which the disk keeps apart from what is in the files.
enum Folder {
    /// The folder of a file.
    static func path(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Has the disk keep which files the folder of a file lists.
    static func synchronize(holding file: String) throws(InterchangeError) {
        let descriptor = open(path(of: file), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { _ = close(descriptor) } }
        try synchronize(descriptor, path: file)
    }

    /// Has the disk keep which files an open folder lists; a folder that may not be read, and a file system that cannot, do without.
    ///
    /// - Parameters:
    ///   - descriptor: The folder's; less than 0 where it could not be opened.
    ///   - path: What an error names.
    /// - Throws: ``InterchangeError/Code/outputFailed`` where the disk refuses.
    static func synchronize(_ descriptor: Int32, path: String) throws(InterchangeError) {
        guard descriptor >= 0, fsync(descriptor) != 0, ![EINVAL, EROFS, ENOSYS, ENOTSUP].contains(errno) else { return }
        let number = errno
        var error = InterchangeError.output(path, failedWith: number)
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        error.message =
            "is in its place, but its folder cannot be synchronised, so that a power cut may take it away again: \(reason)"
        throw error
    }
}
