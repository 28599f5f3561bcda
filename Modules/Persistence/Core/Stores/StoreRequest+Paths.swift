extension StoreRequest.Sort {
    /// The property or path by which rows are sorted; `nil` if they are sorted by a computed value.
    package var property: String? {
        if case .property(let property) = key { property } else { nil }
    }

    /// The maximum count of steps in a sort path: more than any store supports, and few enough for recursion.
    private static let maximumStepCount = 16

    /// A Boolean value that indicates whether the sort key is a path across relationships or a computed value.
    ///
    /// Such a sort key may refer to related objects.
    var isPath: Bool {
        switch key {
        case .property(let property): property.utf8.contains(UInt8(ascii: "."))
        case .value: true
        }
    }

    /// Returns the operand of the sort key.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a path with too many
    ///     steps.
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
    /// Returns a condition that traverses all relationships of the request's condition and sort keys; it is never
    /// evaluated.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a path with too many
    ///   steps.
    package func traversed(in entity: EntityDescription) throws -> FetchCondition {
        .all(
            (condition.map { [$0] } ?? []) + (try sort.filter(\.isPath).map { .traversing(try $0.operand(of: entity)) })
        )
    }

    /// A Boolean value that indicates whether a sort key of the request may refer to related objects.
    package var sortsByPath: Bool { sort.contains(where: \.isPath) }
}
