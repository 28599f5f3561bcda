import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The values of `--set`, in which a reference is represented by the key of the referenced row.
struct AssignedValues: Sendable {
    private let entity: EntityDescription
    private var values: [String: FetchOperand] = [:]
    /// The values of the referenced rows' keys, by the name of the reference and the position of the value in the key.
    private var keys: [String: [Int: StoredValue]] = [:]

    init(_ entity: EntityDescription) {
        self.entity = entity
    }

    var isEmpty: Bool { values.isEmpty && keys.isEmpty }

    /// Adds an assignment.
    ///
    /// - Returns: `false` if an earlier assignment sets the same property, or the same value of the key of a reference.
    mutating func add(_ assignment: PredicateText.Assignment) -> Bool {
        let name = assignment.name
        guard values[name] == nil else { return false }
        guard let place = assignment.keyValue, case .constant(let value) = assignment.value else {
            values[name] = assignment.value
            return keys[name] == nil
        }
        return keys[name, default: [:]].updateValue(value, forKey: place) == nil
    }

    /// Finds a reference with an incomplete key.
    ///
    /// - Returns: The columns of the key, or `nil` if each key is complete.
    func incompleteKey(in model: ManagedObjectModel) -> [String]? {
        for (name, key) in keys {
            let columns = model.externalColumns(of: entity).filter { $0.path.hasPrefix(name + ".") }.map(\.name)
            if columns.count > key.count { return columns }
        }
        return nil
    }

    /// Returns the values, with each key replaced by the identifier of its row.
    ///
    /// Identifiers are never reused. If another process deletes the row afterward, the update fails.
    /// - Returns: The values by names of the model.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/danglingReference`` if no row has a key.
    func resolved(in store: any PersistentStore) throws -> [String: FetchOperand] {
        var values = values
        for (name, key) in keys { values[name] = .constant(try reference(name, key, in: store)) }
        return values
    }

    private func reference(
        _ name: String, _ values: [Int: StoredValue], in store: any PersistentStore
    ) throws -> StoredValue {
        if values.values.allSatisfy(\.isNull) { return .null }
        guard let column = entity.columnIndex(name), let key = store.model.referenceKey(ofColumn: column, in: entity)
        else {
            throw PersistenceError(
                .invalidRequest, "the attribute is not a reference by a key", entity: entity.name, attribute: name)
        }
        let columns = store.model.externalColumns(of: key.entity)
        var conditions: [FetchCondition] = []
        var texts: [String] = []
        for (place, value) in values.sorted(by: { $0.key < $1.key }) {
            let path = key.values[place].path
            let last = FetchOperand.property(path[path.count - 1])
            let operand = path.dropLast().reversed().reduce(last) { .related($1, $0) }
            conditions.append(.compare(operand, .equal, .constant(value)))
            let full = path.joined(separator: ".")
            let name = columns.first { $0.path == full }?.name ?? full
            texts.append("\(name) \(PrintableText.escaped("\(value)", longest: 60))")
        }
        var found: Int64?
        try store.fetch(StoreRequest(key.entity.name, where: .all(conditions), limit: 1)) { row in
            found = row.rawID
            return .stop
        }
        guard let found else {
            throw PersistenceError(
                .danglingReference, "no \(key.entity.name) has \(texts.joined(separator: ", "))", entity: entity.name,
                attribute: name)
        }
        return .integer(found)
    }
}
