import StrataFiles
import StrataInterchange

/// The target of a command's output: standard output, or a file that is written completely or not at all.
struct OutputTarget {
    /// The path of the file, or `nil` for standard output.
    let path: String?

    /// Creates a target after checking that the path can be written; must be called before any store is opened.
    ///
    /// - Throws: `InterchangeError` if the path is a SQLite database or another store, which output must not replace.
    init(_ path: String?) throws(InterchangeError) {
        self.path = path == "-" ? nil : path
        guard let path, self.path != nil else { return }
        if Self.isDatabase(path) {
            throw InterchangeError(
                .cannotCreate, source: path, message: "the file is a SQLite database; choose another output")
        }
        guard Self.isStore(path) else { return }
        throw InterchangeError(
            .cannotCreate, source: path, message: "the file has the name of a store; choose another output")
    }

    /// Passes the output to a closure, and puts the file in place if the closure succeeds and no signal came.
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

    /// Reports the written file, or standard output with `--verbose`; prints nothing with `--quiet`.
    func report(_ message: String, _ arguments: ParsedArguments) {
        guard !arguments.has("quiet"), path != nil || arguments.has("verbose") else { return }
        Console.note("\(message) to \(path ?? "standard output")")
    }

    /// Returns a Boolean value that indicates whether an existing file has the name of an XML or binary store.
    private static func isStore(_ path: String) -> Bool {
        let name = path.lowercased()
        return [".stxml", ".stbin"].contains { name.hasSuffix($0) } && access(path, F_OK) == 0
    }

    /// The first bytes of every SQLite database.
    private static let databaseHeader = Array("SQLite format 3\0".utf8)

    /// Returns a Boolean value that indicates whether a regular file begins like a SQLite database.
    ///
    /// Closing a file releases the locks of this process on it. Therefore no store may be open during this call.
    private static func isDatabase(_ path: String) -> Bool {
        guard FileStatus(path: path)?.isRegular == true, let file = OpenFile(path: path, O_RDONLY | O_NONBLOCK) else {
            return false
        }
        // If the file cannot be read, SQLite cannot read it either.
        return (try? file.bytes(databaseHeader.count)) == databaseHeader
    }
}
