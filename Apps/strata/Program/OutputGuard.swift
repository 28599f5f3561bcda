import Foundation
import StrataInterchange

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A guard that keeps the output files of a command from replacing its inputs, its store or each other.
///
/// Files are compared by identity and not by name. Therefore a link to the store counts as the store.
struct OutputGuard {
    private var taken: [String: String] = [:]

    /// Creates a guard for the files that must not be changed.
    ///
    /// - Parameters:
    ///   - store: The path of the store, or `nil` if there is none.
    ///   - inputs: The paths of the files that the command reads.
    init(store: String?, inputs: [String] = []) {
        for input in inputs { if let file = Self.identity(input) { taken[file] = "the file is read by this command" } }
        guard let store else { return }
        // SQLite keeps data that is not yet in the store's file in other files, and removes them. These files are in
        // the directory of the store's file itself, even if the path of the store is a link.
        let real = Self.resolved(store)
        for ending in ["-wal", "-shm", "-journal"] {
            if let file = Self.identity(real + ending) { taken[file] = "the file belongs to the store" }
        }
        if let file = Self.identity(store) { taken[file] = "the file is the store" }
    }

    /// Registers a path for output, before any store is opened.
    ///
    /// - Throws: `InterchangeError` if the output would replace an input, the store, another database or another
    ///   output.
    mutating func claim(_ path: String) throws(InterchangeError) {
        _ = try OutputTarget(path)
        guard let file = Self.identity(path) else { return }
        if let what = taken[file] {
            throw InterchangeError(.cannotCreate, source: path, message: "\(what); choose another output")
        }
        taken[file] = "the file is another output of this command"
    }

    /// Returns the path with links resolved, or the path itself if the file does not exist yet.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns the identity of a regular file, which may not exist yet, or `nil` for pipes and devices.
    ///
    /// Writing to a pipe or device replaces no data.
    private static func identity(_ path: String) -> String? {
        var status = stat()
        if stat(path, &status) == 0 {
            return status.st_mode & S_IFMT == S_IFREG ? "\(status.st_dev) \(status.st_ino)" : nil
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        guard stat(folder, &status) == 0 else { return path }
        return "\(status.st_dev) \(status.st_ino)/\(name)"
    }
}
