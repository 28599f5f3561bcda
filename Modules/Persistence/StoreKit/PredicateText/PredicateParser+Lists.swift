package import StrataCore

/// The parsing of sort orders and assignments: lists of elements separated by commas.
extension PredicateParser {
    /// Parses a sort order up to the end of the text; an empty text has no sort keys.
    package mutating func sort() throws(PredicateTextError) -> [StoreRequest.Sort] {
        var keys: [StoreRequest.Sort] = []
        if next.kind == .end { return [] }
        while true {
            keys.append(try sortKey())
            guard next.sign == "," else { break }
            advance()
        }
        guard next.kind == .end else {
            throw error("asc, desc, a comma or the end is expected instead of \(next.name)", next.span)
        }
        return keys
    }

    /// Parses one sort key with its direction, and checks that a store can evaluate it.
    private mutating func sortKey() throws(PredicateTextError) -> StoreRequest.Sort {
        let key = try isPathAlone() ? try sortedPath() : try sortedValue()
        let sort: StoreRequest.Sort
        switch next.keyword {
        case "asc", "ascending":
            advance()
            sort = StoreRequest.Sort(key: key.key)
        case "desc", "descending":
            advance()
            sort = StoreRequest.Sort(key: key.key, descending: true)
        default: sort = StoreRequest.Sort(key: key.key)
        }
        let entity = resolver.entity
        try placed(key.span) { try resolver.checkNesting(of: sort.operand(of: entity)) }
        return sort
    }

    /// Returns a Boolean value that indicates whether the next value is only a path, without a calculation.
    private func isPathAlone() throws(PredicateTextError) -> Bool {
        switch next.kind {
        case .end: return true
        case .word where afterNext.sign != "(":
            var ahead = self
            let path = try ahead.writtenPath()
            return path.count == nil && alias(path) == nil && !["+", "-", "*", "/"].contains(ahead.next.sign)
        case .word, .number, .string, .sign: return false
        }
    }

    /// Parses a sort key that is calculated for each row, such as `length(lastName)` or `employees.@count`.
    private mutating func sortedValue() throws(PredicateTextError) -> (
        key: StoreRequest.Sort.Criterion, span: Range<Int>
    ) {
        let value = try value(try sum())
        guard !value.isConstant else { throw error("a constant cannot be a sort key", value.span) }
        return (.value(try operand(value, as: value.kind)), value.span)
    }

    /// Parses a sort key that is a path; a path to a relationship without a column is extended to the identifier of its
    /// target.
    private mutating func sortedPath() throws(PredicateTextError) -> (
        key: StoreRequest.Sort.Criterion, span: Range<Int>
    ) {
        let path = try modelPath(try writtenPath())
        let value = try modelValue(path)
        if case .many(let many) = value.content {
            throw error("\"\(many.manyName)\" refers to many objects and cannot be a sort key", value.span)
        }
        var property = path.steps.map(\.name).joined(separator: ".")
        // A relationship without a column is sorted by the identifier of its target.
        if case .operand(.related, _) = value.content, let last = path.steps.last, last.name != "id",
            lastHasNoColumn(value)
        {
            property += ".id"
        }
        return (.property(property), path.span)
    }

    /// Returns a Boolean value that indicates whether a path to a reference was extended to the identifier of its
    /// target.
    private func lastHasNoColumn(_ value: TextValue) -> Bool {
        guard case .operand(var operand, _) = value.content else { return false }
        while case .related(_, let inner) = operand { operand = inner }
        return operand == .property("id")
    }

    // MARK: Assignments

    /// Parses assignments up to the end of the text; a property, or a value of its key, must not be assigned twice.
    package mutating func assignments() throws(PredicateTextError) -> [PredicateAssignment] {
        if next.kind == .end { throw error("an assignment such as name = value is expected", next.span) }
        var assignments: [PredicateAssignment] = []
        var names: [String: Set<Int?>] = [:]
        while true {
            let name = next.span
            let assignment = try assignment()
            guard names[assignment.name, default: []].insert(assignment.keyValue).inserted else {
                throw error("\"\(assignment.name)\" is assigned twice", name)
            }
            assignments.append(assignment)
            guard next.sign == "," else { break }
            advance()
        }
        guard next.kind == .end else {
            throw error("a comma or the end is expected instead of \(next.name)", next.span)
        }
        return assignments
    }

    /// Parses one assignment.
    ///
    /// The value must have the property's kind, or a whole number or decimal that can become it. A double is not
    /// assigned to a decimal, because it would have to be rounded.
    private mutating func assignment() throws(PredicateTextError) -> PredicateAssignment {
        let token = next
        let written = try writtenPath()
        guard written.steps.count == 1, written.count == nil, let name = written.steps.first?.name else {
            throw error(
                "values can be assigned only to attributes and to-one relationships of the entity itself", written.span)
        }
        let path = try modelPath(written)
        let property = path.steps[0].name
        let column = try assignable(property, name, token.span)
        let key = try keyValue(path, of: property)
        guard next.sign == "=" || next.sign == "==" else {
            throw error("= is expected after \"\(name)\" instead of \(next.name)", next.span)
        }
        advance()
        let value = try value(try sum())
        if key != nil, let same = sameReference(value, property, path) {
            return PredicateAssignment(name: property, value: same, column: error("", token.span).column)
        }
        let kind = OperandType.Kind(key?.type ?? column.type)
        let operand = try operand(value, as: value.kind == .double ? .double : kind)
        let found = try self.kind(of: operand, value.span)
        guard found.isAssignable(to: kind) else {
            throw error("a \(found) cannot be stored in \"\(name)\", which is a \(kind)", value.span)
        }
        if found == .null, !column.isOptional {
            throw error("\"\(name)\" is mandatory, null is not allowed", value.span)
        }
        try placed(value.span) { try resolver.checkNesting(of: operand) }
        let place = error("", token.span).column
        guard key == nil || operand.isConstant else {
            throw error(
                "\"\(name)\" is a reference to another row; assign a constant or a reference to the same entity, "
                    + "not an expression", value.span)
        }
        return PredicateAssignment(name: property, value: operand, column: place, keyValue: key?.index)
    }

    /// Returns the value in the key of a property's target that a path denotes; `nil` if the path denotes no such
    /// value.
    private func keyValue(
        _ path: WrittenPath, of property: String
    ) throws(PredicateTextError) -> (index: Int, type: AttributeType)? {
        guard path.steps.count > 1, let model = resolver.model, let column = resolver.entity.columnIndex(property),
            let key = model.referenceKey(ofColumn: column, in: resolver.entity)
        else { return nil }
        let rest = path.steps.dropFirst().map(\.name)
        guard let index = key.values.firstIndex(where: { $0.path == rest }) else { return nil }
        return (index, key.values[index].type)
    }

    /// Returns the reference itself if a value is the key of another reference to the same entity; otherwise `nil`.
    private func sameReference(_ value: TextValue, _ property: String, _ path: WrittenPath) -> FetchOperand? {
        guard case .operand(.related(let other, let operand), _) = value.content else { return nil }
        let key = path.steps.dropFirst().map(\.name)
        let inner = key.dropLast().reversed().reduce(FetchOperand.property(key.last ?? "id")) { .related($1, $0) }
        let entity = resolver.entity
        guard operand == inner, let source = entity.relationship(named: other), entity.columnIndex(other) != nil,
            source.destination == entity.relationship(named: property)?.destination
        else { return nil }
        return .property(other)
    }

    /// Returns the column of a property that can be assigned; throws for identifiers, immutable properties, and
    /// relationships without a column.
    private func assignable(
        _ property: String, _ name: String, _ span: Range<Int>
    ) throws(PredicateTextError) -> ColumnDescription {
        if property == "id" {
            let what = name == FileName.rowNumber ? "the number of a row" : "an object's identifier"
            throw error("\(what) cannot be changed", span)
        }
        guard let index = resolver.entity.columnIndex(property) else {
            guard let relationship = resolver.entity.relationship(named: property) else {
                throw error(unknown(name, in: resolver.entity), span)
            }
            let reason =
                relationship.cardinality == .toMany
                ? "refers to many objects; assign to the other side" : "has no column; assign to the other side"
            throw error("\"\(name)\" \(reason)", span)
        }
        let column = resolver.entity.columns[index]
        if column.isImmutable { throw error("\"\(name)\" cannot be changed after the insertion", span) }
        return column
    }
}

extension FetchOperand {
    fileprivate var isConstant: Bool { if case .constant = self { true } else { false } }
}

extension OperandType.Kind {
    /// Returns a Boolean value that indicates whether values of this kind can be stored in a column of another kind.
    package func isAssignable(to column: OperandType.Kind) -> Bool {
        switch (self, column) {
        case _ where self == column: true
        case (.null, _), (.integer, .double), (.integer, .decimal), (.decimal, .decimal): true
        default: false
        }
    }
}
