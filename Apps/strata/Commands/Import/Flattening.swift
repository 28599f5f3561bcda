import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The option `--flatten`, which reads a document with nested objects and arrays as several tables.
enum Flattening {
    static func option(_ group: String) -> OptionSpecification {
        .flag(
            "flatten",
            "Read members of objects as columns, and elements of arrays as datasets.",
            details:
                "The column of a member is named like address.city, and the dataset of an array like orders_items. Its "
                + "records refer to their owners and contain their positions. An empty array and a missing array are "
                + "equal. With --on-conflict, an element is identified by its owner and position; elements beyond the "
                + "last one of the document are not deleted.",
            group: group)
    }
}

/// The tables of flattened documents, which are stored after the inference of a model so that the import can use them
/// again.
final class FlattenedDocuments {
    private var documents: [String: FlattenedDocument] = [:]

    subscript(path: String) -> FlattenedDocument? {
        get { documents[path] }
        set { documents[path] = newValue }
    }
}

extension ReadingArguments {
    /// Returns the datasets, with each document replaced by its tables.
    func flattened(_ sources: [ImportSource]) throws -> [ImportSource] {
        if arguments.has("resume") { throw arguments.usageError("--flatten and --resume cannot be combined") }
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
            throw arguments.usageError("--flatten cannot be used for \(path), which a manifest lists as one table")
        }
        let document: FlattenedDocument
        if let known = documents?[path] {
            document = known
        } else {
            let keys = Set(
                model.entities.flatMap { entity in
                    entity.relationships.flatMap { $0.externalKey?.properties ?? [] }
                })
            let names = Set(
                model.entities.flatMap { entity in
                    (entity.external.idColumn.map { [$0] } ?? [])
                        + entity.columns.filter { keys.contains($0.name) }.map(\.externalName)
                }.map(NameMatching.folded))
            document = try FlattenedDocument(
                isStandardInput ? ByteInput.standardInput() : try ByteInput.file(at: path),
                name: entity.external.name ?? entity.name, reading: reading,
                mayBeKey: { column, _ in names.contains(NameMatching.folded(reading.mapping[column] ?? column)) },
                numbering: { tables in
                    let place = tables.count - 1
                    var numbering = FlattenedDocument.Numbering()
                    // A table without an entity is reported after all tables are known.
                    guard let name = DatasetDirectory.entity(ofFile: tables[place].name, in: self.model),
                        let entity = self.model[name]
                    else { return numbering }
                    numbering.last = try self.lastNumber(of: entity, numbers)
                    if tables[place].owner != nil {
                        try self.noteKnownNumbers(ofPart: place, in: tables, reading, from: path, &numbering)
                    }
                    return numbering
                })
        }
        let links = try FlattenedLinks(document.tables) {
            try self.reference(ofPart: $0, in: document.tables, reading, from: path)
        }
        if links.numbersDocument, let action = arguments.value("on-conflict"), action != "abort" {
            throw arguments.usageError(
                "--on-conflict \(action): \(entity.name) has no key, so the records of \(path) cannot be matched with "
                    + "rows of the store"
            )
        }
        return try document.tables.enumerated().map { place, table in
            let entity = try self.entity(ofTable: place, in: document.tables, from: path)
            numbers.last[entity.name, default: 0] += table.records
            return ImportSource(
                entity: entity.name, input: try document.input(of: place),
                reading: links.reading(ofTable: place, in: document.tables, reading))
        }
    }

    /// Returns the entity to which the records of a document's table belong.
    private func entity(
        ofTable place: Int, in tables: [FlattenedTable], from path: String
    ) throws -> EntityDescription {
        let table = tables[place]
        if let name = DatasetDirectory.entity(ofFile: table.name, in: model), let entity = model[name] { return entity }
        throw arguments.usageError(
            "\(path) contains an array \(table.owner?.path ?? table.name), but the model has no entity for the array; "
                + "the entity must have the name "
                + table.name)
    }

    /// Returns the greatest identifier of an entity in the store and in the documents that were read before.
    ///
    /// The records of the next document get greater identifiers, so that they do not update existing rows.
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

    /// Reads from the store the numbers of the document's array elements that it already contains.
    ///
    /// They are necessary if the import can find these elements again and other records refer to them by their numbers.
    private func noteKnownNumbers(
        ofPart place: Int, in tables: [FlattenedTable], _ reading: ReadingOptions, from path: String,
        _ numbering: inout FlattenedDocument.Numbering
    ) throws {
        guard let action = arguments.value("on-conflict"), action != "abort", let store = arguments.value("store"),
            try StorePlace(store).exists()
        else { return }
        let ownerTable = tables[tables[place].owner?.table ?? 0]
        let entity = try entity(ofTable: place, in: tables, from: path)
        let owner = try self.entity(ofTable: tables[place].owner?.table ?? 0, in: tables, from: path)
        let model = storedModel ?? model
        guard let stored = model[entity.name], let storedOwner = model[owner.name],
            model.entities.contains(where: { $0.columns.contains { $0.destination == entity.name } }),
            let reference = stored.columns.firstIndex(where: { $0.destination == owner.name }),
            let identity = stored.uniquenessConstraints.first(where: { $0.contains(stored.columns[reference].name) }),
            let position = identity.filter({ $0 != stored.columns[reference].name }).first.flatMap(stored.columnIndex)
        else { return }
        let key = stored.columns[reference].externalKey.flatMap { storedOwner.columnIndex($0.properties[0]) }
        let name = key.map { storedOwner.columns[$0].externalName } ?? storedOwner.external.idColumn
        // A generated number is not a column of the document.
        numbering.ownerKey = name.map { ownerTable.column(named: $0, reading) }.flatMap {
            ownerTable.columns.contains($0) ? $0 : nil
        }
        numbering.known = try Stores.withContainer(try Stores.description(arguments).readOnly, model) { container in
            var owners: [Int64: String] = [:]
            if let key {
                try container.coordinator.store.fetch(StoreRequest(owner.name)) { row in
                    owners[row.rawID] = StoredKeys.text(try row.value(at: key))
                    return .next
                }
            }
            var numbers: [FlattenedLinks.PartIdentity: Int] = [:]
            try container.coordinator.store.fetch(StoreRequest(entity.name)) { row in
                guard case .integer(let position) = try row.value(at: position),
                    case .integer(let id) = try row.value(at: reference)
                else { return .next }
                let owner = key == nil ? String(id) : owners[id] ?? ""
                numbers[.init(owner: owner, position: Int(position))] = Int(row.rawID)
                return .next
            }
            return numbers
        }
    }

    /// Returns the reference, in the model, from a part's records to the records that contain them in the document.
    private func reference(
        ofPart place: Int, in tables: [FlattenedTable], _ reading: ReadingOptions, from path: String
    ) throws -> FlattenedLinks.Reference {
        let ownerTable = tables[tables[place].owner?.table ?? 0]
        let entity = try entity(ofTable: place, in: tables, from: path)
        let owner = try self.entity(ofTable: tables[place].owner?.table ?? 0, in: tables, from: path)
        let hasPosition = model.datasetColumns(of: entity).contains(FlattenedLinks.position)
        for column in entity.columns where column.destination == owner.name {
            guard let key = column.externalKey else {
                guard let id = owner.external.idColumn else { break }
                return .init(
                    column: column.externalName, key: ownerTable.column(named: id, reading), hasPosition: hasPosition)
            }
            guard key.columns.count == 1 else { break }
            let attribute = owner.columns.first { $0.name == key.properties[0] }
            return .init(
                column: key.columns[0], key: attribute.map { ownerTable.column(named: $0.externalName, reading) },
                hasPosition: hasPosition)
        }
        throw arguments.usageError(
            "\(path) contains an array \(tables[place].owner?.path ?? ""), but \(entity.name) has no column that "
                + "refers to \(owner.name)"
        )
    }
}

/// The greatest number that was assigned to records without a key, by the entity's name.
private final class RecordNumbers {
    var last: [String: Int] = [:]
}
