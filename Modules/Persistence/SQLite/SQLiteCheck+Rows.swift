import CStrataSQLite
import StrataCore
import StrataSQL

/// Every row of an entity: its identifier, the types of its values, the model's rules, its record's initialiser.
extension SQLiteCheck {
    func checkRows(_ entity: EntityDescription) throws {
        let validator = RowValidator(entity)
        let rowCheck = options.rowCheck(entity.name)
        let codings = entity.columns.map(\.type.coding)
        var last: Int64 = 0
        var isWholeTable = false
        // Rows behind those that can be read may have greater ones.
        defer { greatest[entity.name] = Greatest(id: last, isKnown: isWholeTable) }
        // As the table itself has them, whatever its indexes say.
        try forEach("SELECT \(layout.rowColumns(entity)) FROM \(layout.table(entity.name)) NOT INDEXED") { statement in
            didRead()
            let id = sqlite3_column_int64(statement.handle, 0)
            try checkIdentifier(id, behind: last, of: entity)
            last = max(last, id)
            var isWhole = identifierRange.contains(id)
            if !statement.isInteger(1) {
                try foundType(
                    "is not a whole number", entity: entity, id: id, attribute: TableDescription.ColumnName.version)
            }
            var values: [StoredValue] = []
            for index in entity.columns.indices {
                let raw = SQLiteValues.raw(statement.handle, Int32(index) + 2)
                let value = try value(raw, codings[index], validator, entity: entity, column: index, id: id)
                if value == nil { isWhole = false }
                values.append(value ?? .null)
            }
            guard isWhole, let rowCheck else { return }
            let row = StoredRow(id: id, version: sqlite3_column_int64(statement.handle, 1), values: values)
            do { try rowCheck(RowReader(ValueRowSource(row))) } catch {
                let failure = try PersistenceError.failure(error, id: id, of: entity.name)
                try found(
                    StoreFault(
                        .rule, "the record's initialiser refuses it: \(failure.ruleText)", entity: entity.name, id: id,
                        attribute: failure.attribute.isEmpty ? nil : failure.attribute))
            }
        }
        isWholeTable = true
    }

    private func checkIdentifier(_ id: Int64, behind last: Int64, of entity: EntityDescription) throws {
        let name = TableDescription.ColumnName.id
        if !identifierRange.contains(id) {
            let range = "\(identifierRange.lowerBound) to \(identifierRange.upperBound)"
            try found(
                StoreFault(.identifier, "is not an identifier (\(range))", entity: entity.name, id: id, attribute: name)
            )
        } else if id <= last {
            try found(
                StoreFault(
                    .identifier, "stands behind \(last), out of the order of identifiers", entity: entity.name, id: id,
                    attribute: name))
        }
    }

    /// A stored value that breaks no rule; `nil` where it does, which is reported.
    private func value(
        _ raw: RawValue, _ coding: any AttributeCoding, _ validator: RowValidator, entity: EntityDescription,
        column: Int, id: Int64
    ) throws -> StoredValue? {
        let name = entity.columns[column].name
        if case .null = raw {
            // What null breaks is the one rule that SQLite knows too.
            guard !entity.columns[column].isOptional else { return .null }
            try foundType("is mandatory, null is not allowed", entity: entity, id: id, attribute: name)
            return nil
        }
        guard let stored = Self.value(raw, coding) else {
            try foundType("holds what is not a \(coding.name)", entity: entity, id: id, attribute: name)
            return nil
        }
        var value = stored
        let broken = validator.validate(&value, column: column)
        for rule in broken {
            let failure = validator.failure(rule, index: column, value: stored, id: id)
            let kind: StoreFault.Kind =
                switch rule {
                case .type: .type
                case .identifier: .reference
                default: .rule
                }
            try found(StoreFault(kind, failure.ruleText, entity: entity.name, id: id, attribute: name))
        }
        guard broken.isEmpty else { return nil }
        // What is written is always in the form of its type.
        guard value == stored else {
            try found(
                StoreFault(
                    .rule, "is not in the form in which values of its type are kept", entity: entity.name, id: id,
                    attribute: name))
            return nil
        }
        return value
    }

    /// What is kept as a value, and as nothing else would be.
    private static func value(_ raw: RawValue, _ coding: any AttributeCoding) -> StoredValue? {
        switch raw {
        case .text(let bytes):
            // Reading mends what is no UTF-8; here it is not to be.
            guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else { return nil }
        case .integer(let number):
            if let range = coding.integers, !range.contains(number) { return nil }
        default: break
        }
        return coding.value(raw)
    }

    private func foundType(_ message: String, entity: EntityDescription, id: Int64, attribute: String) throws {
        spoiledColumns.insert("\(entity.name).\(attribute)")
        try found(StoreFault(.type, message, entity: entity.name, id: id, attribute: attribute))
    }
}
