import StrataFiles
import StrataInterchange

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
        for input in inputs {
            // The file of a sheet is its workbook.
            guard let file = Self.identity(MemberPath(input)?.container ?? input) else { continue }
            taken[file] = "the file is read by this command"
        }
        guard let store else { return }
        // SQLite keeps data that is not yet in the store's file in other files, and removes them. These files are in
        // the directory of the store's file itself, even if the path of the store is a link.
        let real = FilePath.resolved(store)
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

    /// Returns the identity of a regular file, which may not exist yet, or `nil` for pipes and devices.
    ///
    /// Writing to a pipe or device replaces no data.
    private static func identity(_ path: String) -> String? {
        func text(_ identity: FileStatus.Identity) -> String { "\(identity.device) \(identity.number)" }
        if let status = FileStatus(path: path) { return status.isRegular ? text(status.identity) : nil }
        guard let folder = FileStatus(path: FilePath.folder(of: path)) else { return path }
        return "\(text(folder.identity))/\(FilePath.name(of: path))"
    }
}
