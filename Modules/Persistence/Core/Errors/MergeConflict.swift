/// One object that a save found changed, or deleted, by somebody else, or whose unique value another object has.
public struct MergeConflict: Error, Sendable {
    /// The object's entity.
    public let entity: String
    /// The object's identifier.
    public let id: Int64
    /// The attributes' names, in the order of the values.
    public let attributes: [String]
    /// What the object was when it was read: the values both sides started from; `nil` for a new object.
    public let base: [StoredValue]?
    /// What this save wanted to write; `nil` when it deletes the object.
    public let mine: [StoredValue]?
    /// What the store, or the parent context, has.
    ///
    /// `nil` when the object was deleted there; for a unique value, the values of its owner.
    public let stored: [StoredValue]?
    /// The unique attribute, the attributes that are unique together (`year, number`), the one-to-one relationship or `id` that two objects have; `nil` when it is one object changed twice.
    public let constraint: String?
    /// The identifier of the object that has the unique value; `nil` when it is one object changed twice.
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

    /// The attributes that both sides changed, and changed differently.
    public var attributesInConflict: [String] {
        guard let base, let mine, let stored, constraint == nil else { return [] }
        return attributes.indices
            .filter { base[$0] != mine[$0] && base[$0] != stored[$0] && mine[$0] != stored[$0] }
            .map { attributes[$0] }
    }
}

extension MergeConflict: CustomStringConvertible, CustomDebugStringConvertible {
    /// Which object, and what each side did with it.
    public var description: String {
        if let constraint, let owner { return "\(entity) \(id): \(entity) \(owner) has its \(constraint) already" }
        return switch (mine, stored) {
        case (nil, _): "\(entity) \(id): deleted here, changed in the store"
        case (_, nil): "\(entity) \(id): changed here, deleted in the store"
        default: "\(entity) \(id): changed here and in the store"
        }
    }

    /// The description with the three values of every attribute that differs.
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
