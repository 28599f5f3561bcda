import Foundation
import StrataInterchange
import StrataPersistence
import StrataTesting

/// Datasets by entity: name and text.
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

/// The model of the store contract, in both kinds of store.
func containers() throws -> [(PersistentContainer, TemporaryDirectory)] {
    try [true, false].map { isInMemory in
        let folder = try TemporaryDirectory()
        let description: PersistentStoreDescription =
            isInMemory ? .inMemory : .sqlite(at: URL(fileURLWithPath: folder.file("s.sqlite")))
        let model = try StoreContract.model()
        return (try PersistentContainer(model: model, description, mainQueue: .private), folder)
    }
}
