import Foundation
import StrataInterchange
import StrataPersistence

/// `--flatten`: a document whose records hold objects and arrays as tables.
struct Flattening {
    /// Returns how the tables of a document are read.
    static func reading(ofTables reading: ReadingOptions) -> ReadingOptions {
        var reading = reading
        (reading.format, reading.encoding, reading.root) = (.ndjson, nil, nil)
        (reading.keyAttribute, reading.valueAttribute) = (nil, nil)
        return reading
    }

    static func option(_ group: String) -> OptionSpecification {
        .flag(
            "flatten",
            "Take what objects hold as columns, as in address.city, and the elements of arrays as records of datasets of their own, as orders_items, "
                + "which refer to their owners and hold their places. An array without elements and none are one. The document is read twice.",
            group: group)
    }

    let name: String
    let reading: ReadingOptions
    let sample: Int?
    /// The document from its beginning, as often as it is asked for.
    let input: () throws -> ByteInput
    let isCancelled: (@Sendable () -> Bool)?

    /// Reads the document twice: to know its tables, and to write them with what links them.
    ///
    /// - Parameter reference: Tells from the tables without links how each part refers.
    /// - Returns: The tables, and what links them.
    /// - Throws: What is wrong with the document, and what telling throws.
    func document(
        _ reference: (FlattenedDocument) throws -> (Int) throws -> FlattenedLinks.Reference
    ) throws -> (FlattenedDocument, FlattenedLinks) {
        let bare = try read(nil)
        let links = try FlattenedLinks(bare.tables, reference: try reference(bare))
        return (try read(links), links)
    }

    private func read(_ links: FlattenedLinks?) throws -> FlattenedDocument {
        let input = try input()
        input.isCancelled = isCancelled
        return try FlattenedDocument(
            input, name: name, reading: reading, atMost: sample ?? .max, links: links)
    }
}

extension ReadingArguments {
    /// The datasets with the tables of documents instead of these.
    func flattened(_ sources: [ImportSource]) throws -> [ImportSource] {
        if arguments.has("resume") { throw arguments.usageError("--flatten and --resume do not go together") }
        let numbers = RecordNumbers()
        return try sources.flatMap { try tables(of: $0, numbers) }
    }

    private func tables(of source: ImportSource, _ numbers: RecordNumbers) throws -> [ImportSource] {
        guard let reading = source.reading, !reading.format.isTable, let entity = model[source.entity] else {
            return [source]
        }
        let path = source.input.name
        let isStandardInput = path == ByteInput.standardInput().name
        guard source.expectedDigest == nil else {
            throw arguments.usageError("--flatten is not for \(path), which a manifest lists as one table")
        }
        guard isStandardInput || ModelOfData.isReadAgain(path) else {
            throw arguments.usageError("\(path) cannot be read twice, as --flatten has to; save it in a file")
        }
        let replayed = isStandardInput ? try ReplayedInput() : nil
        let flattening = Flattening(
            name: entity.external.name ?? entity.name, reading: reading, sample: nil,
            input: {
                try replayed?.rewind()
                return isStandardInput ? ByteInput.standardInput() : try ByteInput.file(at: path)
            }, isCancelled: nil)
        let (document, links) = try flattening.document { document in
            { place in
                var reference = try reference(ofPart: place, in: document.tables, from: path)
                let owner = try self.entity(
                    ofTable: document.tables[place].owner?.table ?? 0, in: document.tables, from: path)
                reference.lastNumber = try lastNumber(of: owner, numbers)
                return reference
            }
        }
        for (place, table) in document.tables.enumerated() {
            guard let last = links.lastNumber(ofTable: place, records: table.records) else { continue }
            numbers.last[try self.entity(ofTable: place, in: document.tables, from: path).name] = last
        }
        return try document.tables.indices.map { place in
            ImportSource(
                entity: try self.entity(ofTable: place, in: document.tables, from: path).name,
                input: try document.input(of: place), reading: Flattening.reading(ofTables: reading))
        }
    }

    /// The entity that a table's records are of.
    private func entity(
        ofTable place: Int, in tables: [FlattenedTable], from path: String
    ) throws -> EntityDescription {
        let table = tables[place]
        if let name = DatasetDirectory.entity(ofFile: table.name, in: model), let entity = model[name] { return entity }
        throw arguments.usageError(
            "\(path) holds an array \(table.owner?.path ?? table.name), and the model has no entity for it, which would be called "
                + table.name)
    }

    /// The greatest identifier that an entity's objects have in the store, or get by a document before: another document's records are no updates of them.
    private func lastNumber(of entity: EntityDescription, _ numbers: RecordNumbers) throws -> Int {
        if let last = numbers.last[entity.name] { return last }
        var last = 0
        let model = storedModel ?? model
        if let path = arguments.value("store"), model[entity.name] != nil, try StorePlace(path).exists() {
            last = try Stores.withContainer(try Stores.description(arguments).readOnly, model) { container in
                let request = StoreRequest(
                    entity.name, sort: [StoreRequest.Sort("id", descending: true)], limit: 1)
                var last = 0
                try container.coordinator.store.fetch(request) { row in
                    last = Int(row.rawID)
                    return .stop
                }
                return last
            }
        }
        numbers.last[entity.name] = last
        return last
    }

    /// How the model says that a part's records refer to their owner.
    private func reference(
        ofPart place: Int, in tables: [FlattenedTable], from path: String
    ) throws -> FlattenedLinks.Reference {
        let entity = try entity(ofTable: place, in: tables, from: path)
        let owner = try self.entity(ofTable: tables[place].owner?.table ?? 0, in: tables, from: path)
        let hasPosition = model.datasetColumns(of: entity).contains(FlattenedLinks.position)
        for column in entity.columns where column.destination == owner.name {
            guard let key = column.externalKey else {
                guard let id = owner.external.idColumn else { break }
                return .init(column: column.externalName, key: id, hasPosition: hasPosition)
            }
            guard key.columns.count == 1 else { break }
            let attribute = owner.columns.first { $0.name == key.properties[0] }
            return .init(column: key.columns[0], key: attribute?.externalName, hasPosition: hasPosition)
        }
        throw arguments.usageError(
            "\(path) holds an array \(tables[place].owner?.path ?? ""), and \(entity.name) refers to \(owner.name) by no column of its own"
        )
    }
}

/// The numbers that records without a key were given last, by their entities.
private final class RecordNumbers {
    var last: [String: Int] = [:]
}
