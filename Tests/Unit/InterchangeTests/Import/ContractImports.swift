import Foundation
import PersistenceTestSupport
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting

/// Datasets by entity, with their formats and texts.
typealias Datasets = [(entity: String, format: DatasetFormat, text: String)]

extension PersistentContainer {
    func run(
        _ datasets: Datasets, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        var options = ImportOptions(format: .csv)
        change(&options)
        let sources = datasets.map { dataset in
            var reading = options.reading
            reading.format = dataset.format
            let name = "\(dataset.entity).\(dataset.format.rawValue)"
            return ImportSource(
                entity: dataset.entity, input: ByteInput(bytes: Array(dataset.text.utf8), name: name, blockSize: 1024),
                reading: reading)
        }
        return try DatasetImporter(container: self, options: options).run(sources)
    }

    func ids(_ entity: String) throws -> [Int64] {
        try coordinator.store.rows(StoreRequest(entity)).map(\.id)
    }
}

/// Returns a container over each kind of store, by default with the store contract's model, and its folder, which the
/// caller must retain.
func containers(
    _ model: ManagedObjectModel? = nil
) throws -> [(PersistentContainer, TemporaryDirectory)] {
    let model = try model ?? StoreContract.model()
    return try StoreKind.allCases.map { kind in
        let directory = try TemporaryDirectory()
        let description = PersistentStoreDescription(kind.provider(in: directory.folder))
        return (try PersistentContainer(model: model, description, mainQueue: .private), directory)
    }
}
