/// A conflict of one object in a save.
///
/// Another writer changed or deleted the object, or another object already has its unique value.
public struct MergeConflict: Error, Sendable {
    /// The object's entity.
    public let entity: String
    /// The object's identifier.
    public let id: Int64
    /// The names of the attributes, in the order of the values.
    public let attributes: [String]
    /// The values of the object when it was read, from which both sides started; `nil` for a new object.
    public let base: [StoredValue]?
    /// The values that this save wanted to write; `nil` if the save deletes the object.
    public let mine: [StoredValue]?
    /// The values in the store or in the parent context.
    ///
    /// The property is `nil` if the object was deleted there. For a unique value, it has the values of the row that
    /// owns the value.
    public let stored: [StoredValue]?
    /// The name of the unique key that two objects share; `nil` if one object was changed twice.
    ///
    /// The name is a unique attribute, attributes that are unique together (`year, number`), a one-to-one relationship
    /// or `id`.
    public let constraint: String?
    /// The identifier of the object that has the unique value; `nil` if one object was changed twice.
    public let owner: Int64?

    package init(
        entity: String, id: Int64, attributes: [String], base: [StoredValue]?, mine: [StoredValue]?,
        stored: [StoredValue]?, constraint: String? = nil, owner: Int64? = nil
    ) {
        self.entity = entity
        self.id = id
        self.attributes = attributes
        self.base = base
        self.mine = mine
        self.stored = stored
        self.constraint = constraint
        self.owner = owner
    }

    /// The names of the attributes that both sides changed to different values.
    public var attributesInConflict: [String] {
        guard let base, let mine, let stored, constraint == nil else { return [] }
        return attributes.indices
            .filter { base[$0] != mine[$0] && base[$0] != stored[$0] && mine[$0] != stored[$0] }
            .map { attributes[$0] }
    }
}

extension MergeConflict: CustomStringConvertible, CustomDebugStringConvertible {
    /// The object and the change that each side made to it.
    public var description: String {
        if let constraint, let owner { return "\(entity) \(id): \(entity) \(owner) has its \(constraint) already" }
        return switch (mine, stored) {
        case (nil, _): "\(entity) \(id): deleted here, changed in the store"
        case (_, nil): "\(entity) \(id): changed here, deleted in the store"
        default: "\(entity) \(id): changed here and in the store"
        }
    }

    /// The description and the three values of every attribute that differs.
    public var debugDescription: String {
        var text = description
        for index in attributes.indices {
            let values = [base?[index], mine?[index], stored?[index]]
            guard values.contains(where: { $0 != values[0] }) else { continue }
            text += "\n    \(attributes[index]): base \(base.map { "\($0[index])" } ?? "none")"
            text += ", mine \(mine.map { "\($0[index])" } ?? "deleted")"
            text += ", stored \(stored.map { "\($0[index])" } ?? "deleted")"
        }
        return text
    }
}
