import StrataCore

/// A parsed value of a textual predicate, before the kinds of its constants are known.
struct TextValue {
    /// A constant as it is written in the text.
    enum Literal {
        case null
        case boolean(Bool)
        case number(String)
        case string(String)
        /// The value of `now()`: the time at which the textual predicate is parsed.
        case now
    }

    indirect enum Expression {
        case literal(Literal)
        /// An operand of a known kind: a path, or a count of objects.
        case operand(FetchOperand, OperandType.Kind)
        /// A sum, difference, product or quotient of two values.
        case arithmetic(TextValue, PredicateParser.Calculation, TextValue)
        case negated(TextValue)
        case function(FetchFunction, TextValue)
        /// The first value, or the second value if the first one is null.
        case coalesce(TextValue, TextValue)
        /// A path through a to-many relationship, which a condition compares for some, all or none of the related
        /// objects.
        case many(ManyPath)
    }

    /// A path through relationships that has many related objects.
    struct ManyPath {
        /// The names of the relationships; the last one is to-many.
        var steps: [String]
        /// The operand on each related object that the condition compares.
        var operand: FetchOperand
        var kind: OperandType.Kind
        /// The name of the first to-many relationship in the path, for error messages.
        var manyName: String
    }

    let content: Expression
    let span: Range<Int>
    /// The nesting depth of the value in calculations and parentheses.
    let depth: Int
    /// The kind to which constants are converted if they are combined with the value; `nil` if it is unknown.
    let kind: OperandType.Kind?

    private init(_ content: Expression, span: Range<Int>, depth: Int, kind: OperandType.Kind?) {
        (self.content, self.span, self.depth, self.kind) = (content, span, depth, kind)
    }

    init(_ literal: Literal, _ span: Range<Int>) {
        let kind: OperandType.Kind? = if case .now = literal { .date } else { nil }
        self.init(.literal(literal), span: span, depth: 1, kind: kind)
    }

    init(_ operand: FetchOperand, kind: OperandType.Kind, span: Range<Int>) {
        self.init(.operand(operand, kind), span: span, depth: 1, kind: kind)
    }

    init(_ path: ManyPath, _ span: Range<Int>) {
        self.init(.many(path), span: span, depth: 1, kind: path.kind)
    }

    init(_ left: TextValue, _ calculation: PredicateParser.Calculation, _ right: TextValue) {
        self.init(
            .arithmetic(left, calculation, right), span: left.span.lowerBound..<right.span.upperBound,
            depth: max(left.depth, right.depth) + 1, kind: Self.common(left.kind, right.kind))
    }

    init(negating value: TextValue, _ span: Range<Int>) {
        // The least whole number has no positive counterpart. The sign is therefore part of the constant.
        if case .literal(.number(let text)) = value.content, !text.hasPrefix("-") {
            self.init(.number("-" + text), span)
            return
        }
        self.init(.negated(value), span: span, depth: value.depth + 1, kind: value.kind)
    }

    init(_ function: FetchFunction, of value: TextValue, _ span: Range<Int>) {
        let kind: OperandType.Kind? =
            switch function {
            case .lowercased, .uppercased, .trimmed, .inOrder: .string
            case .length, .year: .integer
            case .yearMonth: .string
            case .day: .day
            case .absolute, .rounded: value.kind
            }
        self.init(.function(function, value), span: span, depth: value.depth + 1, kind: kind)
    }

    init(first: TextValue, orElse second: TextValue, _ span: Range<Int>) {
        self.init(
            .coalesce(first, second), span: span, depth: max(first.depth, second.depth) + 1,
            kind: Self.common(first.kind, second.kind))
    }

    /// Returns the kind to which constants are converted if they are combined with two values; `nil` if it is unknown.
    ///
    /// If one kind is a double, the result is a double. If one kind is a decimal and the other one is a whole number,
    /// the result is a decimal.
    static func common(_ left: OperandType.Kind?, _ right: OperandType.Kind?) -> OperandType.Kind? {
        guard let left, let right else { return left ?? right }
        if left == .double || right == .double { return .double }
        return left.common(with: right) ?? left
    }

    /// A Boolean value that indicates whether the value contains only constants, and no path.
    var isConstant: Bool {
        switch content {
        case .literal: true
        case .operand, .many: false
        case .arithmetic(let left, _, let right), .coalesce(let left, let right): left.isConstant && right.isConstant
        case .negated(let value), .function(_, let value): value.isConstant
        }
    }

    var manyPath: ManyPath? {
        switch content {
        case .many(let path): path
        case .literal, .operand: nil
        case .arithmetic(let left, _, let right), .coalesce(let left, let right): left.manyPath ?? right.manyPath
        case .negated(let value), .function(_, let value): value.manyPath
        }
    }

    var isNull: Bool {
        if case .literal(.null) = content { true } else { false }
    }
}
