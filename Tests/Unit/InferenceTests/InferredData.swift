import StrataCore
import StrataInference
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// A dataset and its inferred model.
struct InferredData {
    let inferred: ModelInference.Inferred

    /// Infers the model of named datasets, which are CSV unless they begin like JSON.
    init(
        _ tables: KeyValuePairs<String, String>, _ change: (inout ModelInference.Options) -> Void = { _ in },
        reading: (inout ReadingOptions) -> Void = { _ in }
    ) throws {
        var options = ModelInference.Options()
        change(&options)
        var inference = ModelInference(names: tables.map(\.key), options: options)
        for (name, text) in tables {
            let format: DatasetFormat = text.hasPrefix("[") ? .json : text.hasPrefix("{") ? .ndjson : .csv
            var options = Self.reading(format)
            reading(&options)
            try inference.read(
                ByteInput(bytes: Array(text.utf8), name: name), as: name, path: "\(name).\(format.rawValue)", options)
        }
        inferred = try inference.result()
    }

    private static func reading(_ format: DatasetFormat) -> ReadingOptions {
        var reading = ReadingOptions(format: format)
        if format.isTable { reading.dialect.separator = .comma }
        return reading
    }

    /// Returns the types of a dataset's columns by their names in the report.
    func types(_ place: Int = 0) -> [String] { inferred.report.entities[place].columns.map(\.type) }

    /// Returns the text of a dataset after an import with the model and an export.
    func roundTrip(_ text: String, _ place: Int = 0, in container: PersistentContainer? = nil) throws -> String {
        let format: DatasetFormat = text.hasPrefix("[") ? .json : text.hasPrefix("{") ? .ndjson : .csv
        let container = try container ?? PersistentContainer(model: inferred.file.model, .inMemory, mainQueue: .private)
        let name = inferred.report.entities[place].name
        var options = ImportOptions(format: format)
        options.reading = Self.reading(format)
        _ = try DatasetImporter(entity: name, container: container, options: options)
            .run(ByteInput(bytes: Array(text.utf8), name: "data"))
        let output = ByteOutput.memory()
        try DatasetExporter(store: container.coordinator.store, format: format).run(StoreRequest(name), to: output)
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
