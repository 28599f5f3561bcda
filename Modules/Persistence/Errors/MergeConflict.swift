/// One object that a save found changed, or deleted, by somebody else.
public struct MergeConflict: Error, Sendable {
    /// The object's entity.
    public let entity: String
    /// The object's identifier.
    public let id: Int64
    /// The attributes' names, in the order of the values.
    public let attributes: [String]
    /// What the object was when it was read: the values both sides started from.
    public let base: [StoredValue]
    /// What this save wanted to write; `nil` when it deletes the object.
    public let mine: [StoredValue]?
    /// What the store holds; `nil` when the row was deleted there.
    public let stored: [StoredValue]?

    /// The attributes that both sides changed, and changed differently.
    public var attributesInConflict: [String] {
        guard let mine, let stored else { return [] }
        return attributes.indices
            .filter { base[$0] != mine[$0] && base[$0] != stored[$0] && mine[$0] != stored[$0] }
            .map { attributes[$0] }
    }
}

extension MergeConflict: CustomStringConvertible, CustomDebugStringConvertible {
    /// Which object, and what each side did with it.
    public var description: String {
        switch (mine, stored) {
        case (nil, _): "\(entity) \(id): deleted here, changed in the store"
        case (_, nil): "\(entity) \(id): changed here, deleted in the store"
        default: "\(entity) \(id): changed here and in the store"
        }
    }

    /// The description with the three values of every attribute that differs.
    public var debugDescription: String {
        var text = description
        for index in attributes.indices {
            let values = [base[index], mine?[index], stored?[index]]
            guard values.contains(where: { $0 != base[index] }) else { continue }
            text += "\n    \(attributes[index]): base \(base[index])"
            text += ", mine \(mine.map { "\($0[index])" } ?? "deleted")"
            text += ", stored \(stored.map { "\($0[index])" } ?? "deleted")"
        }
        return text
    }
}
