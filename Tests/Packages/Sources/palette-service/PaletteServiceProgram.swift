import Foundation
import PaletteService
import StrataPersistence
import StrataRepositories

/// The program `palette-service STORE`, which runs the service on a store until SIGTERM or SIGINT.
@main
struct PaletteServiceProgram {
    private static let usage: Int32 = 64
    private static let failure: Int32 = 1

    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            write("usage: palette-service STORE\n", to: .standardError)
            exit(usage)
        }
        do {
            try await run(store: URL(fileURLWithPath: CommandLine.arguments[1]))
        } catch {
            write("palette-service: \(error)\n", to: .standardError)
            exit(failure)
        }
    }

    private static func run(store: URL) async throws {
        let termination = await Termination()
        defer { termination.cancel() }
        let container = try await PersistentContainer.load(
            model: ReferenceModel.model(), .sqlite(at: store), mainQueue: .private)
        // The store is always closed, and is a single file again.
        let result = await Result { try await serve(container, until: termination.signals) }
        try container.close()
        try result.get()
    }

    private static func serve(_ container: PersistentContainer, until signals: AsyncStream<Void>) async throws {
        let service = PaletteService(
            colors: StoredColorRepository(container.backgroundContext),
            employees: StoredEmployeeRepository(container.newBackgroundContext(name: "employees")))
        write("ready\n", to: .standardOutput)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask { for await _ in signals { return } }
            // The first task to end is the failed service or the wait for a signal.
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private static func write(_ text: String, to file: FileHandle) {
        // The output of print would be buffered in a pipe.
        file.write(Data(text.utf8))
    }
}

extension Result where Failure == any Error {
    /// Creates a result from the value or error of an asynchronous closure.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
