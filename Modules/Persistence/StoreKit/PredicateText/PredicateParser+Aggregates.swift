package import StrataCore

/// The parsing of aggregates: `count()`, `sum(salary)`, and those of related objects, such as `sum(employees.salary)`.
extension PredicateParser {
    /// Parses the arguments of `count` after the opening parenthesis.
    ///
    /// `count(employees)` is equivalent to `employees.@count`. Only a selection has the count of the rows of a group,
    /// `count()`, that of values that are not null, `count(salary)`, and that of different values,
    /// `count(distinct city, zip)`.
    mutating func count(_ name: PredicateToken) throws(PredicateTextError) -> TextValue {
        if next.sign == ")" || next.sign == "*" {
            if next.sign == "*" { advance() }
            try expect(")", after: "after count(")
            return try aggregate(.count, name.span.lowerBound..<lastEnd)
        }
        if next.keyword == "distinct", afterNext.sign != ")", afterNext.sign != "." {
            advance()
            var operands: [FetchOperand] = []
            repeat {
                if !operands.isEmpty { advance() }
                let value = try value(try sum())
                operands.append(try rowParser.operand(value, as: value.kind))
            } while next.sign == ","
            try expect(")", after: "or , in count(distinct")
            return try aggregate(.countDistinct(operands), name.span.lowerBound..<lastEnd)
        }
        if let objects = try countOfObjects() { return objects }
        return try aggregate(name, FetchAggregate.countValues)
    }

    /// Parses the path of a to-many relationship up to the closing parenthesis, and returns the count of its objects.
    ///
    /// - Returns: The count; `nil`, without parsing anything, if another value follows.
    private mutating func countOfObjects() throws(PredicateTextError) -> TextValue? {
        guard case .word = next.kind else { return nil }
        var ahead = self
        let written = try ahead.writtenPath()
        guard ahead.next.sign == ")", written.count == nil else { return nil }
        var path = try modelPath(written)
        guard case .many(let many) = try modelValue(path).content, many.steps.last == path.steps.last?.name else {
            return nil
        }
        path.count = ahead.next.span
        ahead.advance()
        self = ahead
        return try modelValue(path)
    }

    /// Parses the operand of an aggregate after the opening parenthesis.
    ///
    /// A path through a to-many relationship denotes the aggregate over the related objects of a row; any other operand
    /// denotes the aggregate over the rows of a group.
    mutating func aggregate(
        _ name: PredicateToken, _ make: (FetchOperand) -> FetchAggregate
    ) throws(PredicateTextError) -> TextValue {
        // The operand is a value of a row, but an alias can be a value of a group.
        let aliases = aliases
        self.aliases = [:]
        defer { self.aliases = aliases }
        let inner = try nested { parser throws(PredicateTextError) in try parser.value(try parser.alternatives()) }
        try expect(")", after: "after the value of \(name.name)")
        let span = name.span.lowerBound..<lastEnd
        guard case .many(let path) = inner.content else {
            return try aggregate(make(try rowParser.operand(inner, as: inner.kind)), span)
        }
        guard path.steps.dropLast().isEmpty || path.manyName == path.steps.last, let last = path.steps.last else {
            throw error(
                "\"\(path.manyName)\" refers to many objects; only the last relationship of the path may do so",
                inner.span)
        }
        let aggregate = FetchOperand.relatedAggregate(last, make(path.operand), .constant(true))
        let operand = path.steps.dropLast().reversed().reduce(aggregate) { .related($1, $0) }
        return TextValue(operand, kind: try kind(of: operand, span), span: span)
    }

    private func aggregate(_ aggregate: FetchAggregate, _ span: Range<Int>) throws(PredicateTextError) -> TextValue {
        guard resolver.permitsAggregates else {
            throw error(
                "\(aggregate.name)() of rows is a value of a selection or of its groups; a condition on rows can use "
                    + "the aggregates of related objects, such as sum(items.price)", span)
        }
        let operand = FetchOperand.aggregate(aggregate)
        return TextValue(operand, kind: try kind(of: operand, span), span: span)
    }

    /// A parser of operands on rows, in which no aggregate over a group is permitted.
    private var rowParser: PredicateParser {
        var resolver = resolver
        resolver.permitsAggregates = false
        return PredicateParser(continuing: self, in: resolver)
    }
}

/// The parsing of the columns and keys of a selection.
extension PredicateParser {
    /// Parses the columns of a selection up to the end of the text, such as `boss.lastName, avg(salary) as mean`.
    ///
    /// The name of a column is the one after `as`, or else the column's own text.
    package mutating func columns() throws(PredicateTextError) -> [(operand: FetchOperand, name: String)] {
        var columns: [(operand: FetchOperand, name: String)] = []
        repeat {
            if !columns.isEmpty { advance() }
            let value = try value(try sum())
            let operand = try operand(value, as: value.kind)
            try placed(value.span) { try resolver.checkNesting(of: operand) }
            columns.append((operand, try columnName(value.span)))
        } while next.sign == ","
        guard next.kind == .end else {
            throw error("a comma, \"as\" or the end is expected instead of \(next.name)", next.span)
        }
        return columns
    }

    private mutating func columnName(_ span: Range<Int>) throws(PredicateTextError) -> String {
        guard next.keyword == "as" else {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[span])
            return String(text)
        }
        advance()
        let token = advance()
        switch token.kind {
        case .word(let name, _), .string(let name): return name
        default: throw error("a name is expected after \"as\" instead of \(token.name)", token.span)
        }
    }
}
