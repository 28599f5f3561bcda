/// What is known of a value in a condition before any row is read: the kind of its values, and whether null is one.
public struct OperandType: Sendable, Hashable {
    /// A kind of values that can be compared with each other.
    public enum Kind: Sendable, Hashable {
        /// Null and nothing else.
        case null
        /// Truth values.
        case boolean
        /// Whole numbers of any width.
        case integer
        /// Floating-point numbers.
        case double
        /// Decimals of a scale.
        case decimal(scale: UInt8)
        /// Texts.
        case string
        /// Instants.
        case date
        /// Days.
        case day
        /// Times of day.
        case timeOfDay
        /// UUIDs.
        case uuid
        /// Binary data.
        case binary
    }

    /// The kind of its values.
    public var kind: Kind
    /// Whether null is one of them.
    public var isNullable: Bool

    /// What is known of a value.
    public init(kind: Kind, isNullable: Bool) {
        self.kind = kind
        self.isNullable = isNullable
    }
}

extension OperandType.Kind {
    /// The type whose values are of this kind; `nil` for null.
    package var type: AttributeType? {
        switch self {
        case .null: nil
        case .boolean: .boolean
        case .integer: .integer64
        case .double: .double
        case .decimal(let scale): .decimal(scale: scale)
        case .string: .string
        case .date: .date
        case .day: .day
        case .timeOfDay: .timeOfDay
        case .uuid: .uuid
        case .binary: .binary
        }
    }

    /// All that is particular to the type of its values; `nil` for null.
    var coding: (any AttributeCoding)? { type?.coding }

    /// The kind of an attribute's values.
    public init(_ type: AttributeType) { self = type.coding.kind }

    /// The kind of a value.
    public init(_ value: StoredValue) { self = value.coding?.kind ?? .null }

    /// The digits after the point; a whole number has none.
    public var scale: UInt8 {
        if case .decimal(let scale) = self { scale } else { 0 }
    }

    package var isNumber: Bool { coding?.isNumber ?? false }

    /// The kind both can be brought to for comparing or choosing between them; `nil` when there is none.
    public func common(with other: OperandType.Kind) -> OperandType.Kind? {
        switch (self, other) {
        case _ where self == other: self
        case (.null, _): other
        case (_, .null): self
        case (.decimal(let left), .decimal(let right)): .decimal(scale: max(left, right))
        case (.decimal, .integer): self
        case (.integer, .decimal): other
        case (.integer, .double), (.double, .integer): .double
        default: nil
        }
    }
}

extension OperandType.Kind: CustomStringConvertible {
    /// The kind in words, for messages.
    public var description: String { coding?.kindName ?? "null" }
}
