import Foundation

/// A running process of the built program.
struct ServiceProcess {
    private let process = Process()
    private let output = Pipe()
    private let exits: AsyncStream<Int32>

    /// Starts the program from the folder of the tests.
    init(store: URL) throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        exits = stream
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("palette-service")
        process.arguments = [store.path]
        process.standardOutput = output
        process.terminationHandler = { process in
            // The number of a signal is negated to distinguish it from an exit status.
            let isExit = process.terminationReason == .exit
            continuation.yield(isExit ? process.terminationStatus : -process.terminationStatus)
            continuation.finish()
        }
        try process.run()
    }

    /// Returns the program's output up to the end of a line or of the output.
    func line() -> String {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            line += piece
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Sends SIGTERM.
    func terminate() { process.terminate() }

    /// Returns the exit status, or the negated number of the signal that ended the program.
    func status() async -> Int32? {
        for await status in exits { return status }
        return nil
    }
}
