import CStrataSQLite
import Foundation
import StrataCore
import StrataSQL

/// The store's own tables: the next identifiers, and what it knows of itself.
extension SQLiteCheck {
    func checkSequences() throws {
        guard usable.contains(SQLLayout.sequenceTable) else {
            return try found(
                StoreFault(
                    .sequence, "the table \(SQLLayout.sequenceTable), which has the next identifiers, is missing",
                    isRepairable: true), .sequenceTable)
        }
        let names = Set(model.entities.map(\.name))
        var marked: Set<String> = []
        try forEach("SELECT entity, next FROM \(SQLLayout.sequenceTable)") { statement in
            guard let name = statement.text(0), names.contains(name) else {
                let name = statement.text(0) ?? ""
                return try found(
                    StoreFault(
                        .sequence, "there is a next identifier of “\(name)”, which is no entity", isRepairable: true),
                    .surplusSequence(name))
            }
            marked.insert(name)
            let next = sqlite3_column_int64(statement.handle, 1)
            let greatest = greatest[name] ?? 0
            let isPossible = next >= 1 && next <= identifierRange.upperBound + 1
            guard !statement.isInteger(1) || !isPossible || next <= greatest else { return }
            try foundSequence("the next identifier, \(next), \(isPossible ? "was given already" : "is none")", name)
        }
        for entity in model.entities where usable.contains(entity.name) && !marked.contains(entity.name) {
            guard greatest[entity.name] ?? 0 > 0 else { continue }
            try foundSequence("the next identifier is missing", entity.name)
        }
    }

    private func foundSequence(_ message: String, _ entity: String) throws {
        let greatest = greatest[entity] ?? 0
        // Without the greatest identifier there is none above it.
        let isKnown = greatest < identifierRange.upperBound
        try found(
            StoreFault(
                .sequence, "\(message); the greatest identifier is \(greatest)", entity: entity, isRepairable: isKnown),
            isKnown ? .sequence(entity, next: greatest + 1) : nil)
    }

    func checkMetadata() throws {
        if try connection.number("PRAGMA user_version") != Int64(SQLiteFormat.version) {
            try found(
                StoreFault(.metadata, "the number of the store's format is wrong", isRepairable: true), .formatVersion)
        }
        let identifier = try connection.text(layout.metadataSelection, .string("uuid"))
        if identifier.flatMap(UUID.init(uuidString:)) == nil {
            try found(
                StoreFault(.metadata, "the store has no identifier", isRepairable: true),
                .metadata("uuid", UUID().uuidString))
        }
        for (entity, hash) in try model.entityHashes().sorted(by: { $0.key < $1.key }) {
            guard try connection.text(layout.metadataSelection, .string("hash.\(entity)")) != hash else { continue }
            try found(
                StoreFault(
                    .metadata, "the digest of the entity is missing or wrong", entity: entity, isRepairable: true),
                .metadata("hash.\(entity)", hash))
        }
    }
}
