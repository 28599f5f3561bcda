import Foundation
import StrataCore

/// The greatest identifier of an entity among the rows that could be read.
struct GreatestIdentifier {
    var id: Int64 = 0
    /// A Boolean value that indicates whether all rows were read, so that ``id`` is the greatest identifier of all
    /// rows.
    var isKnown = false

    /// A Boolean value that indicates whether the entity's next identifier can be derived from ``id``.
    var hasNext: Bool { isKnown && id < identifierRange.upperBound }
    var text: String { "the greatest identifier is \(isKnown ? "\(id)" : "not known")" }
}

/// The checks of the store's own tables, which contain the next identifiers and the metadata.
extension SQLCheck {
    /// A Boolean value that indicates whether the next identifiers of all entities can be derived from their rows.
    ///
    /// If this is false, the table of next identifiers is not rebuilt: without the next identifier of an entity, the
    /// store would assign identifiers of that entity a second time.
    private var canMakeSequences: Bool { model.entities.allSatisfy { greatest[$0.name]?.hasNext == true } }

    func checkSequences() throws {
        guard isSchemaRead else { return }
        guard usable.contains(SQLLayout.sequenceTable) else {
            return try foundNoSequences("which has the next identifiers, is missing", joiner: ", ")
        }
        do {
            try checkNextIdentifiers()
        } catch let error as PersistenceError where error.code == .corrupt {
            // The rebuild of the whole table includes the repairs that were found before the error.
            dropSequenceRepairs()
            try foundNoSequences("cannot be read: \(error.message)", joiner: " ")
        }
    }

    private func foundNoSequences(_ message: String, joiner: String) throws {
        try found(
            StoreFault(
                .sequence, "the table \(SQLLayout.sequenceTable)\(joiner)\(message)", isRepairable: canMakeSequences),
            canMakeSequences ? .sequenceTable : nil)
    }

    private func checkNextIdentifiers() throws {
        let names = Set(model.entities.map(\.name))
        var marked: Set<String> = []
        let sql = "SELECT entity, next, \(engine.sequenceColumns) FROM \(SQLLayout.sequenceTable)"
        try engine.forEach(sql) { statement in
            let name = engine.text(statement, at: 0) ?? ""
            // A name that contains a zero byte may only appear to be the entity's name.
            guard names.contains(name), statement.integer(at: 3) == name.utf8.count else {
                return try found(
                    StoreFault(
                        .sequence, "there is a next identifier of “\(name)”, which is not an entity", isRepairable: true
                    ),
                    .surplusSequence(name, row: statement.integer(at: 2)))
            }
            marked.insert(name)
            let next = statement.integer(at: 1)
            let isPossible =
                engine.isInteger(statement, at: 1) && next >= 1 && next <= identifierRange.upperBound + 1
            guard !isPossible || next <= greatest[name]?.id ?? 0 else { return }
            try foundSequence(
                "the next identifier, \(next), \(isPossible ? "is already in use" : "is not an identifier")", name)
        }
        for entity in model.entities where usable.contains(entity.name) && !marked.contains(entity.name) {
            let greatest = greatest[entity.name] ?? GreatestIdentifier()
            // An entity without rows needs no next identifier.
            guard greatest.id > 0 || !greatest.isKnown else { continue }
            try foundSequence("the next identifier is missing", entity.name)
        }
    }

    private func foundSequence(_ message: String, _ entity: String) throws {
        let greatest = greatest[entity] ?? GreatestIdentifier()
        try found(
            StoreFault(
                .sequence, "\(message); \(greatest.text)", entity: entity, isRepairable: greatest.hasNext),
            greatest.hasNext ? .sequence(entity, next: greatest.id + 1) : nil)
    }

    func checkMetadata() throws {
        guard isModelKnown else { return }
        do {
            try checkKeys()
        } catch let error as PersistenceError where error.code == .corrupt {
            try foundNoMetadata(error)
        }
    }

    func foundNoMetadata(_ error: PersistenceError) throws {
        try found(StoreFault(.metadata, "the table \(SQLLayout.metadataTable) cannot be read: \(error.message)"))
    }

    private func checkKeys() throws {
        try engine.checkFormat(self)
        let identifier = try connection.text(layout.metadataSelection, .string("uuid"))
        if identifier.flatMap(UUID.init(uuidString:)) == nil {
            try found(
                StoreFault(.metadata, "the store has no identifier", isRepairable: true),
                .metadata("uuid", UUID().uuidString))
        }
        if isModelFileDamaged {
            try found(
                StoreFault(.metadata, "the stored model file is damaged", isRepairable: true),
                .metadata(SQLLayout.modelFileKey, try layout.modelEntries()[SQLLayout.modelFileKey] ?? ""))
        }
        guard isModelCurrent else { return }
        for (entity, hash) in try model.entityHashes().sorted(by: { $0.key < $1.key }) {
            guard try connection.text(layout.metadataSelection, .string("hash.\(entity)")) != hash else { continue }
            try found(
                StoreFault(
                    .metadata, "the digest of the entity is missing or wrong", entity: entity, isRepairable: true),
                .metadata("hash.\(entity)", hash))
        }
    }
}
