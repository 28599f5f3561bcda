/// The type of an operand in a condition, known before any row is read: its kind, and whether it may be null.
///
/// Stores receive it with each ``ResolvedOperand``. A store that translates conditions uses it to choose an operation
/// of its database; a store that evaluates them in memory need not read it, except for the scale of decimals.
public struct OperandType: Sendable, Hashable {
    /// A kind of values that can be compared with each other.
    public enum Kind: Sendable, Hashable {
        /// The kind of an operand that is always null.
        case null
        /// Boolean values.
        case boolean
        /// Integers of any width.
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

    /// The kind of the operand's values.
    public var kind: Kind
    /// A Boolean value that indicates whether the operand may be null.
    public var isNullable: Bool

    /// Creates an operand type.
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

    /// The coding of the type of the kind's values; `nil` for null.
    package var coding: (any AttributeCoding)? { type?.coding }

    /// Creates the kind of an attribute's values.
    public init(_ type: AttributeType) { self = type.coding.kind }

    /// Creates the kind of a value.
    public init(_ value: StoredValue) { self = value.coding?.kind ?? .null }

    /// The count of digits after the point in values of this kind; 0 for an integer.
    public var scale: UInt8 {
        if case .decimal(let scale) = self { scale } else { 0 }
    }

    package var isNumber: Bool { coding?.isNumber ?? false }

    /// Returns the kind to which operands of both kinds can be converted, for a comparison or a choice; `nil` if there
    /// is none.
    ///
    /// An integer is converted to a decimal or to a double. A decimal and a double have no common kind, because one of
    /// them would have to be rounded. Null can be compared with every kind.
    ///
    /// - Parameter other: The kind of the other operand.
    /// - Returns: The common kind; for two decimals, that with the larger scale.
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
