import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import Testing

@Suite("The palette service as a process")
struct ServiceProcessTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("palette-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func files(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("SIGTERM ends the service with status 0 and one file with its rows, and it resumes there")
    func terminated() async throws {
        try await withFolder { folder in
            let store = folder.appendingPathComponent("palette.sqlite")
            for run in 1...2 {
                let service = try ServiceProcess(store: store)
                #expect(service.line() == "ready\n")
                service.terminate()
                #expect(await service.status() == 0)
                #expect(try files(in: folder) == ["palette.sqlite"])

                let container = try PersistentContainer(model: ReferenceModel.model(), .sqlite(at: store).readOnly)
                let colors = StoredColorRepository(container.backgroundContext)
                let employees = StoredEmployeeRepository(container.backgroundContext)
                #expect(try await colors.count() >= run)
                #expect(try await colors.get(1).hex.rawValue == "#FFFFFF")
                #expect(try await employees.fetch().map(\.fullName) == ["Hilma af Klint"])
                try container.close()
            }
        }
    }

    @Test("a foreign file ends the service with status 1 before it is ready, and is unchanged")
    func foreign() async throws {
        try await withFolder { folder in
            let store = folder.appendingPathComponent("palette.sqlite")
            let text = Data("this is no database, and it is longer than a hundred bytes. ".utf8)
            try (text + text).write(to: store)
            let service = try ServiceProcess(store: store)
            #expect(service.line().isEmpty)
            #expect(await service.status() == 1)
            #expect(try Data(contentsOf: store) == text + text)
        }
    }
}
