import StrataInterchange

/// Where a command's data goes: a file that is there whole or not at all, or standard output.
struct OutputTarget {
    /// The file's path; `nil` for standard output.
    let path: String?

    /// Looks whether the path may be written; to be asked before any store is opened.
    ///
    /// - Throws: `InterchangeError` when a SQLite database or another store is there, which a dataset must not replace.
    init(_ path: String?) throws(InterchangeError) {
        self.path = path == "-" ? nil : path
        guard let path, self.path != nil else { return }
        if Self.isDatabase(path) {
            throw InterchangeError(
                .cannotCreate, source: path, message: "is a SQLite database; choose another output")
        }
        guard Self.isStore(path) else { return }
        throw InterchangeError(
            .cannotCreate, source: path, message: "is a store by its name; choose another output")
    }

    /// Gives the output to a closure, and puts the file in its place when the body is done and nothing has interrupted it.
    func write<Result>(_ interruption: Interruption, _ body: (ByteOutput) throws -> Result) throws -> Result {
        guard let path else {
            let output = ByteOutput.standardOutput()
            let result = try body(output)
            try output.flush()
            return result
        }
        let file = try CompressedFile(path: path)
        do {
            let result = try body(file.output)
            try file.output.flush()
            try interruption.finish()
            try file.commit()
            return result
        } catch {
            file.discard()
            throw error
        }
    }

    /// Says what was done to a file, or with `--verbose` to standard output too; with `--quiet` nothing.
    func report(_ message: String, _ arguments: ParsedArguments) {
        guard !arguments.has("quiet"), path != nil || arguments.has("verbose") else { return }
        Console.note("\(message) to \(path ?? "standard output")")
    }

    /// Whether a file is there whose name is that of a store of another kind.
    private static func isStore(_ path: String) -> Bool {
        let name = path.lowercased()
        return [".stxml", ".stbin"].contains { name.hasSuffix($0) } && access(path, F_OK) == 0
    }

    /// What every SQLite database begins with.
    private static let databaseHeader = Array("SQLite format 3\0".utf8)

    /// Whether a regular file begins as SQLite databases do.
    ///
    /// Closing a file drops the locks that this process has on it, so that no store may be open now.
    private static func isDatabase(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: databaseHeader.count)
        return read(descriptor, &bytes, bytes.count) == bytes.count && bytes == databaseHeader
    }
}
