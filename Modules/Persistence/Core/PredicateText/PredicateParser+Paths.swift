/// Names and paths, looked up in the model.
extension PredicateParser {
    /// The most steps of a path: more than any store nests.
    private static let maximumStepCount = 16

    /// A path as it is written: its names, and where each stands.
    struct WrittenPath {
        var steps: [(name: String, span: Range<Int>)]
        /// Where `@count` stands, if it ends the path.
        var count: Range<Int>?

        var span: Range<Int> {
            let last = count ?? steps.last?.span ?? 0..<0
            return (steps.first?.span.lowerBound ?? last.lowerBound)..<last.upperBound
        }
    }

    /// Reads names joined by points, the first of which is the next token.
    mutating func writtenPath() throws(PredicateTextError) -> WrittenPath {
        var path = WrittenPath(steps: [])
        while true {
            let token = advance()
            guard case .word(let name, let isKeyword) = token.kind else {
                throw error(
                    "the name of an attribute or a relationship is expected instead of \(token.name)", token.span)
            }
            if isKeyword, name.hasPrefix("@") {
                guard name.foldingASCIICase() == "@count", !path.steps.isEmpty else {
                    throw error("\(name.shortened) is not known; only @count after a relationship is", token.span)
                }
                path.count = token.span
                return path
            }
            path.steps.append((name, token.span))
            guard path.steps.count <= Self.maximumStepCount else {
                throw error("a path of more than \(Self.maximumStepCount) steps", token.span)
            }
            guard next.sign == "." else { return path }
            advance()
        }
    }

    /// What a path leads to.
    func value(_ path: WrittenPath) throws(PredicateTextError) -> TextValue {
        var resolver = resolver
        var relationships: [(name: String, isToMany: Bool)] = []
        for (index, step) in path.steps.enumerated() {
            let isLast = index == path.steps.count - 1
            if step.name == "id" || resolver.entity.columnIndex(step.name) != nil {
                let isReference = resolver.entity.relationship(named: step.name) != nil
                if isLast, path.count == nil {
                    return try value(.property(step.name), resolver: resolver, relationships: relationships, path: path)
                }
                guard isReference else {
                    let after = isLast ? path.count ?? step.span : path.steps[index + 1].span
                    throw error("\"\(step.name)\" is no relationship, so nothing can be read across it", after)
                }
            } else if resolver.entity.relationship(named: step.name) == nil {
                throw error(unknown(step.name, in: resolver.entity), step.span)
            }
            let isToMany = resolver.entity.relationship(named: step.name)?.cardinality == .toMany
            if isLast, path.count != nil {
                return try value(
                    .relatedCount(step.name, .constant(true)), resolver: resolver, relationships: relationships,
                    path: path)
            }
            relationships.append((step.name, isToMany))
            let here = resolver
            resolver = try placed(step.span) { try here.destination(step.name) }
        }
        // A relationship without a column is what its objects are.
        return try value(.property("id"), resolver: resolver, relationships: relationships, path: path)
    }

    private func value(
        _ operand: FetchOperand, resolver: ConditionResolver, relationships: [(name: String, isToMany: Bool)],
        path: WrittenPath
    ) throws(PredicateTextError) -> TextValue {
        let kind = try placed(path.span) { try resolver.type(of: operand).kind }
        if let many = relationships.first(where: \.isToMany),
            let last = relationships.lastIndex(where: \.isToMany)
        {
            // What follows the last relationship to many is a value of each of its objects.
            let inner = relationships[(last + 1)...].reversed().reduce(operand) { .related($1.name, $0) }
            return TextValue(
                TextValue.ManyPath(
                    steps: relationships[...last].map(\.name), operand: inner, kind: kind, manyName: many.name),
                path.span)
        }
        return TextValue(
            relationships.reversed().reduce(operand) { .related($1.name, $0) }, kind: kind, span: path.span)
    }

    /// The message for a name that the entity does not have.
    func unknown(_ name: String, in entity: EntityDescription) -> String {
        let names = entity.properties.map(\.name) + ["id"]
        let near = NearestName.of(name, among: names)
        let hint =
            near.map { "; did you mean \"\($0)\"?" } ?? "; there are \(names.joined(separator: ", ").shortenedList)"
        return "there is no attribute \"\(name.shortened)\" in \(entity.name)\(hint)"
    }
}

extension String {
    /// A list of names, cut where it is long.
    fileprivate var shortenedList: String {
        count > 200 ? String(prefix(200)) + "…" : self
    }
}
