extension StoreRequest.Sort {
    /// The property or path that is sorted by; `nil` for a value.
    package var property: String? {
        if case .property(let property) = key { property } else { nil }
    }

    /// The most steps of a path: more than any store nests, and few enough to be looked at one in the other.
    private static let maximumStepCount = 16

    /// Whether the key may be about other objects: a path across relationships, or a value.
    var isPath: Bool {
        switch key {
        case .property(let property): property.utf8.contains(UInt8(ascii: "."))
        case .value: true
        }
    }

    /// What is sorted by.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a path of too many steps.
    package func operand(of entity: EntityDescription) throws -> FetchOperand {
        let property: String
        switch key {
        case .property(let name): property = name
        case .value(let value): return value
        }
        guard isPath else { return .property(property) }
        let steps = property.split(
            separator: ".", maxSplits: Self.maximumStepCount, omittingEmptySubsequences: false)
        guard steps.count <= Self.maximumStepCount else {
            throw PersistenceError(
                .invalidRequest, "a sort path of more than \(Self.maximumStepCount) steps", entity: entity.name)
        }
        return steps.dropLast().reversed()
            .reduce(.property(String(steps.last ?? ""))) { .related(String($1), $0) }
    }
}

extension StoreRequest {
    /// A condition that traverses what the request's condition and sort keys traverse; nobody evaluates it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a path of too many steps.
    package func traversed(in entity: EntityDescription) throws -> FetchCondition {
        .all(
            (condition.map { [$0] } ?? []) + (try sort.filter(\.isPath).map { .traversing(try $0.operand(of: entity)) })
        )
    }

    /// Whether a sort key may be about other objects.
    package var sortsByPath: Bool { sort.contains(where: \.isPath) }
}
