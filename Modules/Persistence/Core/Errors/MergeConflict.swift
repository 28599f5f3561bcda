/// A conflict of one object in a save.
///
/// Another writer changed or deleted the object, or another object already has one of its unique values.
///
/// A save throws ``PersistenceError`` with code ``PersistenceError/Code/conflict`` and one value of this type for each
/// object in conflict. A merge policy that resolves conflicts receives the same values. Both kinds of conflicts are
/// distinguished by ``constraint``.
///
/// ## Topics
///
/// ### The object
///
/// - ``entity``
/// - ``id``
///
/// ### The values
///
/// - ``attributes``
/// - ``base``
/// - ``mine``
/// - ``stored``
/// - ``attributesInConflict``
///
/// ### Duplicate unique values
///
/// - ``constraint``
/// - ``owner``
///
/// ### Describing
///
/// - ``description``
/// - ``debugDescription``
public struct MergeConflict: Error, Sendable {
    /// The object's entity.
    public let entity: String
    /// The object's identifier.
    public let id: Int64
    /// The names of the attributes, in the order of the values.
    public let attributes: [String]
    /// The values of the object when this context last read or saved it; `nil` if the object is new in this context.
    public let base: [StoredValue]?
    /// The values of the object that this save would write; `nil` if the save deletes the object.
    public let mine: [StoredValue]?
    /// The values of the object in the store or in the parent context.
    ///
    /// The property is `nil` if the object was deleted there. If the conflict concerns a unique value, these are the
    /// values of the other object, which has the unique value already.
    public let stored: [StoredValue]?
    /// The name of the unique key whose value two objects share; `nil` if two writers changed the same object.
    ///
    /// The name is that of a unique attribute, of attributes that are unique together (`year, number`), of a one-to-one
    /// relationship, or `id`.
    public let constraint: String?
    /// The identifier of the other object, which has the unique value already; `nil` if two writers changed the same
    /// object.
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

    /// The names of the attributes that both writers changed, each to a different value.
    public var attributesInConflict: [String] {
        guard let base, let mine, let stored, constraint == nil else { return [] }
        return attributes.indices
            .filter { base[$0] != mine[$0] && base[$0] != stored[$0] && mine[$0] != stored[$0] }
            .map { attributes[$0] }
    }
}

extension MergeConflict: CustomStringConvertible, CustomDebugStringConvertible {
    /// A text with the object and the change that each writer made to it, without values.
    public var description: String {
        if let constraint, let owner { return "\(entity) \(id): \(entity) \(owner) has its \(constraint) already" }
        return switch (mine, stored) {
        case (nil, _): "\(entity) \(id): deleted here, changed in the store"
        case (_, nil): "\(entity) \(id): changed here, deleted in the store"
        default: "\(entity) \(id): changed here and in the store"
        }
    }

    /// A text with ``description``, and the values in ``base``, ``mine`` and ``stored`` of every attribute that
    /// differs.
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
