import Foundation

/// The built program, running.
struct ServiceProcess {
    private let process = Process()
    private let output = Pipe()
    private let exits: AsyncStream<Int32>

    /// Starts the program, which stands beside the tests.
    init(store: URL) throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        exits = stream
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("palette-service")
        process.arguments = [store.path]
        process.standardOutput = output
        process.terminationHandler = { process in
            // A signal's number is made negative, so that it is not mistaken for an exit status.
            let isExit = process.terminationReason == .exit
            continuation.yield(isExit ? process.terminationStatus : -process.terminationStatus)
            continuation.finish()
        }
        try process.run()
    }

    /// What the program writes, up to the end of a line or of everything.
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

    /// The exit status, or the number of the signal that ended the program, made negative.
    func status() async -> Int32? {
        for await status in exits { return status }
        return nil
    }
}
