import Interchange

/// Where a command's data goes: a file that is there whole or not at all, or standard output.
struct OutputTarget {
    /// The file's path; `nil` for standard output.
    let path: String?

    init(_ path: String?) {
        self.path = path == "-" ? nil : path
    }

    /// Lends the output, and puts the file in its place when the body is done.
    func write<Result>(_ body: (ByteOutput) throws -> Result) throws -> Result {
        guard let path else {
            let output = ByteOutput.standardOutput()
            let result = try body(output)
            try output.flush()
            return result
        }
        let file = try AtomicFile(path: path)
        do {
            let result = try body(file.output)
            try file.commit()
            return result
        } catch {
            file.discard()
            throw error
        }
    }

    /// Says what was done, where the data is not in the way.
    func report(_ message: String) {
        if let path { Console.note("\(message) to \(path)") }
    }
}
