import Foundation
import StrataInterchange

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps the files that a command writes from replacing what it works on, or each other.
///
/// A file is known by what it is, not by its name: a link to the store is the store.
struct OutputGuard {
    private var taken: [String: String] = [:]

    /// Notes what must stay as it is.
    ///
    /// - Parameters:
    ///   - store: The store's path; nil where there is none.
    ///   - inputs: The paths of what is read.
    init(store: String?, inputs: [String] = []) {
        for input in inputs { if let file = Self.identity(input) { taken[file] = "is read by this command" } }
        guard let store else { return }
        // SQLite keeps what is not yet in the store's file in files beside it, and removes them; beside the file itself,
        // wherever a link to it is.
        let real = Self.resolved(store)
        for ending in ["-wal", "-shm", "-journal"] {
            if let file = Self.identity(real + ending) { taken[file] = "belongs to the store" }
        }
        if let file = Self.identity(store) { taken[file] = "is the store" }
    }

    /// Takes a path for output; to be asked before any store is opened.
    ///
    /// - Throws: `InterchangeError` when the output would replace an input, the store, another database or another output.
    mutating func claim(_ path: String) throws(InterchangeError) {
        _ = try OutputTarget(path)
        guard let file = Self.identity(path) else { return }
        if let what = taken[file] {
            throw InterchangeError(.cannotCreate, source: path, message: "\(what); choose another output")
        }
        taken[file] = "is another output of this command"
    }

    /// The path without links; the path itself where there is no such file yet.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// What tells one regular file from another, also where it is not there yet; nil for pipes and devices, which lose nothing.
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
