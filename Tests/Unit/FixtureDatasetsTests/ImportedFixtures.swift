import Foundation
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

private func containers(_ model: ManagedObjectModel, in folder: Folder, _ name: String) throws -> [PersistentContainer]
{
    [
        try PersistentContainer.inMemory(model: model),
        try PersistentContainer(
            model: model, .sqlite(at: URL(fileURLWithPath: "\(folder.path)/\(name).sqlite")), mainQueue: .private),
    ]
}

/// Writes a dataset, imports it into both kinds of stores, and expects valid stores with the content of the files.
func expectImported(
    _ dataset: FixtureDataset, in folder: Folder, _ format: DatasetFormat, _ comment: Comment
) throws {
    let made = "\(folder.path)/made"
    // If files refer by keys, the rows are stored first.
    let staged = try PersistentContainer.inMemory(model: dataset.model)
    defer { try? staged.close() }
    if dataset.needsStore { try dataset.store(in: staged) }
    let store = dataset.needsStore ? staged.coordinator.store : nil
    try dataset.write(to: made, options: ExportOptions(format: format), from: store)
    let check = try FixtureCheck(
        directory: made, model: dataset.model, schema: dataset.description.schema)
    #expect(try check.run(from: store) == [], comment)
    let model = dataset.model
    for (number, container) in try containers(model, in: folder, "imported").enumerated() {
        defer { try? container.close() }
        let found = try DatasetDirectory(path: made, model: model)
        let sources = try found.files.map { file in
            ImportSource(
                entity: file.entity, input: try ByteInput(path: file.path),
                reading: ReadingOptions(format: file.format))
        }
        let result = Result {
            try DatasetImporter(container: container, options: ImportOptions(format: format)).run(sources)
        }
        guard case .success = result else {
            Issue.record("\(result): \(comment)")
            continue
        }
        for producer in dataset.producers {
            let count = try container.coordinator.store.count(StoreRequest(producer.entity.name))
            #expect(count == producer.count, comment)
        }
        guard number == 1 else { continue }
        try container.close()
        var faults: [String] = []
        let url = URL(fileURLWithPath: "\(folder.path)/imported.sqlite")
        try PersistentContainer.check(model: model, .sqlite(at: url)) { faults.append("\($0)") }
        #expect(faults == [], comment)
    }
    for container in try containers(model, in: folder, "filled") {
        defer { try? container.close() }
        #expect(throws: Never.self, comment) { try dataset.store(in: container) }
    }
}
