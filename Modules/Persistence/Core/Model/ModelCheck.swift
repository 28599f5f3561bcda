/// A validation that a model is complete and consistent.
///
/// The checks stop at the first fault, in a fixed order: names, attributes and relationships of each entity, then the
/// names and keys of datasets, then the names of tables and indexes in stores. A valid model needs no further check by
/// stores.
struct ModelCheck {
    let model: ManagedObjectModel

    /// Runs all checks.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` for the first fault.
    func run() throws {
        try checkNames(model.entities.map(\.name), what: "entity", entity: nil)
        for entity in model.entities {
            try checkNames(entity.properties.map(\.name), what: "property", entity: entity.name)
            for attribute in entity.attributes { try check(attribute, of: entity) }
            for relationship in entity.relationships { try check(relationship, of: entity) }
            try checkKeys(of: entity)
        }
        for entity in model.entities {
            try checkExternalKeys(of: entity)
            try checkExternalNames(of: entity)
        }
        try checkDatasetNames()
        try checkPositions()
        try checkJoinNames()
    }

    func invalid(_ message: String, entity: String?, property: String? = nil) -> PersistenceError {
        PersistenceError(.invalidModel, message, entity: entity, attribute: property)
    }

    /// Throws an error if a name is not a word, is reserved, or is repeated.
    ///
    /// Names are used in SQL, JSON keys and column headers. They therefore contain only letters, digits and `_`, and
    /// two names must differ in more than their case.
    private func checkNames(_ names: [String], what: String, entity: String?) throws {
        var seen: Set<String> = []
        for name in names {
            let bytes = Array(name.utf8)
            let isWord = bytes.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x5F
            }
            guard let first = bytes.first, isWord, first != 0x5F, !(0x30...0x39).contains(first) else {
                throw invalid(
                    "“\(name)” is not a valid name of the \(what): use letters, digits and _, and begin with a letter",
                    entity: entity
                )
            }
            let folded = name.foldingASCIICase()
            if folded.hasPrefix("sqlite_") || folded.hasPrefix("strata_") || (entity != nil && folded == "id") {
                throw invalid("“\(name)” is a reserved name", entity: entity)
            }
            guard seen.insert(folded).inserted else {
                throw invalid(
                    "the \(what) name “\(name)” occurs twice (names must differ in more than case)", entity: entity)
            }
        }
    }

    private func check(_ attribute: AttributeDescription, of entity: EntityDescription) throws {
        func require(_ value: StoredValue, _ what: String) throws {
            guard !value.isNull, value.converted(to: attribute.type) != nil else {
                throw invalid(
                    "the \(what) \(value) is not of type \(attribute.type)", entity: entity.name,
                    property: attribute.name)
            }
        }
        func requireBound(_ value: StoredValue, _ what: String) throws {
            try require(value, what)
            guard let format = attribute.domain?.format, format.isOrdered, case .string(let text) = value else {
                return
            }
            guard format.takes(text) else {
                throw invalid(
                    "the \(what) “\(text)” is not \(format.example)", entity: entity.name, property: attribute.name)
            }
        }
        if case .decimal(let scale) = attribute.type, scale > ScaledDecimal.maximumScale {
            throw invalid(
                "a decimal's scale must be from 0 to \(ScaledDecimal.maximumScale), not \(scale)", entity: entity.name,
                property: attribute.name)
        }
        switch attribute.defaultValue {
        case .constant(let value): try require(value, "default")
        case .now where attribute.type != .date:
            throw invalid("the default “now” can be used only for dates", entity: entity.name, property: attribute.name)
        case .newUUID where attribute.type != .uuid:
            throw invalid(
                "the default “new UUID” can be used only for UUIDs", entity: entity.name, property: attribute.name)
        default: break
        }
        for renamed in attribute.renamedValues {
            try require(renamed.from, "earlier value")
            try require(renamed.to, "later value")
        }
        let earlier = attribute.renamedValues.compactMap { $0.from.converted(to: attribute.type) }
        if let twice = earlier.first(where: { value in earlier.count { $0 == value } > 1 }) {
            throw invalid(
                "the earlier value \(twice) has two later values", entity: entity.name, property: attribute.name)
        }
        for rule in attribute.rules {
            switch rule {
            case .minimum(let value): try requireBound(value, "minimum")
            case .maximum(let value): try requireBound(value, "maximum")
            case .greaterThan(let value), .lessThan(let value): try requireBound(value, "bound")
            case .oneOf(let values):
                guard !values.isEmpty else {
                    throw invalid(
                        "the list of allowed values is empty", entity: entity.name, property: attribute.name)
                }
                for value in values { try require(value, "allowed value") }
            case .minimumLength, .maximumLength:
                guard attribute.type == .string || attribute.type == .binary else {
                    throw invalid(
                        "a length rule can be used only for strings and binary values", entity: entity.name,
                        property: attribute.name)
                }
            case .pattern(let pattern):
                guard attribute.type == .string else {
                    throw invalid(
                        "a pattern can be used only for strings", entity: entity.name, property: attribute.name)
                }
                do { _ = try Regex(pattern) } catch {
                    throw invalid(
                        "“\(pattern)” is not a valid regular expression: \(error)", entity: entity.name,
                        property: attribute.name
                    )
                }
            }
        }
    }
}
