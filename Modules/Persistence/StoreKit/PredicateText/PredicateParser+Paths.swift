import StrataCore

/// The parsing of names and paths, and their resolution in the model.
extension PredicateParser {
    /// The maximum count of steps in a path of a textual predicate; every store supports fewer nested relationships.
    private static let maximumStepCount = 16

    /// A path as it is written in a textual predicate: its names with their locations.
    struct WrittenPath {
        var steps: [Step]
        /// The location of `@count` at the end of the path; `nil` if the path does not end with it.
        var count: Range<Int>?

        struct Step {
            var name: String
            var span: Range<Int>
            /// A Boolean value that indicates whether the name is in backticks.
            var isQuoted: Bool
        }

        var span: Range<Int> {
            let last = count ?? steps.last?.span ?? 0..<0
            return (steps.first?.span.lowerBound ?? last.lowerBound)..<last.upperBound
        }
    }

    /// Parses a path: names joined by points, beginning with the next token.
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
                    throw error(
                        "\(name.shortened) is not known; only @count is supported after a relationship", token.span)
                }
                path.count = token.span
                return path
            }
            path.steps.append(WrittenPath.Step(name: name, span: token.span, isQuoted: !isKeyword))
            guard path.steps.count <= Self.maximumStepCount else {
                throw error("a path of more than \(Self.maximumStepCount) steps", token.span)
            }
            guard next.sign == "." else { return path }
            advance()
        }
    }

    /// Returns a path with its names replaced with those of the model.
    ///
    /// Each step retains the location of its original name, so that error messages refer to the original text.
    func modelPath(_ path: WrittenPath) throws(PredicateTextError) -> WrittenPath {
        guard names == .files, let model = resolver.model else { return path }
        var entity = resolver.entity
        var found = WrittenPath(steps: [], count: path.count)
        for (index, step) in path.steps.enumerated() {
            let isLast = index == path.steps.count - 1 && path.count == nil
            switch model.meaning(ofFileName: step.name, isQuoted: step.isQuoted, in: entity, isLast: isLast) {
            case .path(let names):
                found.steps += names.map { WrittenPath.Step(name: $0, span: step.span, isQuoted: step.isQuoted) }
            case .columns(let columns):
                let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
                throw error("\"\(step.name.shortened)\" is stored in several columns; use \(list)", step.span)
            case nil: throw error(unknown(step.name, in: entity), step.span)
            }
            guard !isLast, let name = found.steps.last?.name, let relationship = entity.relationship(named: name) else {
                continue
            }
            entity = try placed(step.span) { try model.entity(named: relationship.destination) }
        }
        return found
    }

    /// Returns the parsed value that a written path denotes.
    func value(_ written: WrittenPath) throws(PredicateTextError) -> TextValue {
        if let operand = alias(written) {
            return TextValue(operand, kind: try kind(of: operand, written.span), span: written.span)
        }
        return try modelValue(try modelPath(written))
    }

    /// Returns the value that a path denotes as an alias, or `nil` if it is none.
    func alias(_ path: WrittenPath) -> FetchOperand? {
        path.steps.count == 1 && path.count == nil ? aliases[path.steps[0].name] : nil
    }

    /// Returns the parsed value that a path with names of the model denotes.
    func modelValue(_ path: WrittenPath) throws(PredicateTextError) -> TextValue {
        var resolver = resolver
        var relationships: [(name: String, isToMany: Bool)] = []
        for (index, step) in path.steps.enumerated() {
            let isLast = index == path.steps.count - 1
            if step.name == "id" || resolver.entity.shownColumnIndex(step.name) != nil {
                let isReference = resolver.entity.relationship(named: step.name) != nil
                if isLast, path.count == nil {
                    return try value(.property(step.name), resolver: resolver, relationships: relationships, path: path)
                }
                guard isReference else {
                    let after = isLast ? path.count ?? step.span : path.steps[index + 1].span
                    throw error("\"\(step.name)\" is not a relationship and cannot be followed by a name", after)
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
        // The value of a relationship without a column is the identifier of its target.
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
            // The steps after the last to-many relationship denote a value of each of its objects.
            let inner = relationships[(last + 1)...].reversed().reduce(operand) { .related($1.name, $0) }
            return TextValue(
                TextValue.ManyPath(
                    steps: relationships[...last].map(\.name), operand: inner, kind: kind, manyName: many.name),
                path.span)
        }
        return TextValue(
            relationships.reversed().reduce(operand) { .related($1.name, $0) }, kind: kind, span: path.span)
    }

    /// Returns the names of an entity that a textual predicate may use.
    func knownNames(of entity: EntityDescription) -> [String] {
        guard names == .files, let model = resolver.model else { return entity.properties.map(\.name) + ["id"] }
        return model.fileNames(of: entity)
    }

    /// Returns the error message for a name that the entity does not have.
    func unknown(_ name: String, in entity: EntityDescription) -> String {
        if let model = resolver.model, names == .files, let index = entity.columnIndex(name) {
            let external = entity.columns[index].externalName
            if model.fileNames(of: entity).contains(external) {
                return "\"\(name.shortened)\" is not a column of \(entity.name); write \(quoted(external))"
            }
        }
        let names = knownNames(of: entity)
        let near = NearestName.of(name, among: names)
        let written = self.names == .files ? resolver.model?.writtenFileNames(of: entity) : nil
        let list = (written ?? names).joined(separator: ", ").shortenedList
        let hint = near.map { "; did you mean \(quoted($0))?" } ?? "; there are \(list)"
        return "there is no attribute \"\(name.shortened)\" in \(entity.name)\(hint)"
    }

    /// Returns a name as a text must contain it, if that needs backticks; otherwise, the name in quotation marks.
    private func quoted(_ name: String) -> String {
        let written = names == .files ? FileName.written(name) : name
        return written == name ? "\"\(name)\"" : written
    }
}

extension String {
    /// The names as text for an error message; only the first ones if there are many.
    fileprivate var shortenedList: String {
        count > 200 ? String(prefix(200)) + "…" : self
    }
}
