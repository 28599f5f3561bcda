/// A value of a textual predicate, before the kinds of its constants are known.
struct TextValue {
    /// A constant as it is written in the text.
    enum Literal {
        case null
        case boolean(Bool)
        case number(String)
        case string(String)
        /// The time at which the text is read.
        case now
    }

    indirect enum Expression {
        case literal(Literal)
        /// An operand with a known kind: a path, or a count of objects.
        case operand(FetchOperand, OperandType.Kind)
        /// A sum, difference, product or quotient.
        case arithmetic(TextValue, PredicateParser.Calculation, TextValue)
        case negated(TextValue)
        case function(FetchFunction, TextValue)
        /// The first of two values that is not null.
        case coalesce(TextValue, TextValue)
        /// A path through a to-many relationship, for a condition on some, all or none of the objects.
        case many(ManyPath)
    }

    /// A path through relationships to many objects.
    struct ManyPath {
        /// The names of the relationships; the last one is to-many.
        var steps: [String]
        /// The value of each related object that the condition compares.
        var operand: FetchOperand
        var kind: OperandType.Kind
        /// The name of the first to-many relationship, for messages.
        var manyName: String
    }

    let content: Expression
    let span: Range<Int>
    /// The nesting depth of the value.
    let depth: Int
    /// The kind to which constants next to the value are converted, if it is known.
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
            case .length: .integer
            case .absolute, .rounded: value.kind
            }
        self.init(.function(function, value), span: span, depth: value.depth + 1, kind: kind)
    }

    init(first: TextValue, orElse second: TextValue, _ span: Range<Int>) {
        self.init(
            .coalesce(first, second), span: span, depth: max(first.depth, second.depth) + 1,
            kind: Self.common(first.kind, second.kind))
    }

    /// Returns the kind to which constants next to two values are converted.
    ///
    /// If one value is a double, all are converted to doubles. If one is a decimal, whole numbers are converted to
    /// decimals.
    static func common(_ left: OperandType.Kind?, _ right: OperandType.Kind?) -> OperandType.Kind? {
        guard let left, let right else { return left ?? right }
        if left == .double || right == .double { return .double }
        return left.common(with: right) ?? left
    }

    /// A Boolean value that indicates whether the value contains only constants.
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
