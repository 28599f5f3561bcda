import Foundation
import StrataDomain
import StrataFixtureDatasets
import StrataPersistence
import StrataRepositories
import StrataTesting
import Testing

// The examples of the documentation of StrataTesting, line by line.

func recorded(_ container: PersistentContainer, _ repository: StoredColorRepository, _ navy: HexColor) async throws {
    let recorder = ContextRecorder(container.backgroundContext)
    try await repository.create(hex: navy, name: "Navy")
    #expect(recorder.saves.count == 1)
}

func inMemoryRecords(_ boss: Boss, _ employee: Employee) throws {
    let records = try InMemoryRecords(ReferenceModel.model(), [boss, employee])
    let warehouse = Warehouse(records: records)
    _ = warehouse
}

func inMemoryContainer() throws {
    let container = try PersistentContainer.inMemory(model: ReferenceModel.model())
    _ = container
}

func preparedStack(_ names: [String], _ hex: HexColor, _ url: URL) throws {
    let palette = try PreparedStack(model: ReferenceModel.model()) { context in
        for name in names { try context.insert(Color.self) { Color(id: $0, hex: hex, name: name, dateCreated: .now) } }
    }
    let container = try palette.container()
    let fixtures = try PreparedStack(model: ReferenceModel.model(), copyOf: url)
    let colors = StoredColorRepository(try fixtures.container().backgroundContext)
    _ = (container, colors)
}

func preparedDataset(_ model: ManagedObjectModel, _ dataset: FixtureDataset) throws {
    let prepared = try PreparedStack(model: model, preparing: { try dataset.store(in: $0) })
    _ = prepared
}

func preparedStore(_ url: URL) throws {
    let onDisk = try PreparedStore(model: ReferenceModel.model(), copyOf: url)
    let stack = try onDisk.temporaryCopy()
    _ = stack
}

func temporaryStack() throws {
    let stack = try TemporaryStack(model: ReferenceModel.model())
    let repository = StoredColorRepository(stack.container.backgroundContext)
    _ = repository
}
