/// What is known of an operand before any row is read: the kind of its values, and whether null is one.
package struct OperandType: Equatable {
    package enum Kind: Equatable {
        case null, boolean, integer, double
        case decimal(scale: UInt8)
        case string, date, uuid, binary
    }

    package var kind: Kind
    package var isNullable: Bool

    package init(kind: Kind, isNullable: Bool) {
        self.kind = kind
        self.isNullable = isNullable
    }
}

extension OperandType.Kind {
    package init(_ type: AttributeType) {
        switch type {
        case .string: self = .string
        case .integer16, .integer32, .integer64: self = .integer
        case .double: self = .double
        case .decimal(let scale): self = .decimal(scale: scale)
        case .boolean: self = .boolean
        case .date: self = .date
        case .uuid: self = .uuid
        case .binary: self = .binary
        }
    }

    package init(_ value: StoredValue) {
        switch value {
        case .null: self = .null
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .double: self = .double
        case .decimal(let value): self = .decimal(scale: value.scale)
        case .string: self = .string
        case .date: self = .date
        case .uuid: self = .uuid
        case .binary: self = .binary
        }
    }

    /// The digits after the point; a whole number has none.
    package var scale: UInt8 {
        if case .decimal(let scale) = self { scale } else { 0 }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .double, .decimal: true
        default: false
        }
    }

    /// The kind both can be brought to for comparing or choosing between them; `nil` when there is none.
    package func common(with other: OperandType.Kind) -> OperandType.Kind? {
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

/// Finds the types of a condition's operands in an entity, and refuses what has no meaning there.
package struct ConditionTyping {
    let entity: EntityDescription
    /// The model, without which no relationship can be traversed.
    let model: ManagedObjectModel?
    /// What conditions across relationships are evaluated with.
    let relatives: (any RelatedRows)?

    package init(entity: EntityDescription, model: ManagedObjectModel? = nil, relatives: (any RelatedRows)? = nil) {
        self.entity = entity
        self.model = model
        self.relatives = relatives
    }

    package func type(of operand: FetchOperand) throws -> OperandType {
        switch operand {
        case .property("id"): return OperandType(kind: .integer, isNullable: false)
        case .property(let name):
            guard let index = entity.columnIndex(name) else {
                throw PersistenceError(.invalidRequest, "there is no attribute “\(name)”", entity: entity.name)
            }
            let column = entity.columns[index]
            return OperandType(kind: .init(column.type), isNullable: column.isOptional)
        case .constant(let value): return OperandType(kind: .init(value), isNullable: value.isNull)
        case .arithmetic(let left, let operation, let right): return try type(of: left, operation, right)
        case .negated(let operand):
            let type = try type(of: operand)
            guard type.kind.isNumber || type.kind == .null else {
                throw mismatch("the sign of a \(type.kind) cannot be turned")
            }
            return type
        case .coalesce(let left, let right):
            let (left, right) = (try type(of: left), try type(of: right))
            return OperandType(kind: try common(left, right), isNullable: left.isNullable && right.isNullable)
        case .conditional(let condition, let left, let right):
            try check(condition)
            let (left, right) = (try type(of: left), try type(of: right))
            return OperandType(kind: try common(left, right), isNullable: left.isNullable || right.isNullable)
        case .truth(let condition):
            try check(condition)
            return OperandType(kind: .boolean, isNullable: false)
        case .relatedCount(let name, let condition):
            try destination(name).check(condition)
            return OperandType(kind: .integer, isNullable: false)
        case .related(let name, let operand):
            return OperandType(kind: try toOneDestination(name).type(of: operand).kind, isNullable: true)
        }
    }

    func check(_ condition: FetchCondition) throws {
        switch condition {
        case .constant: return
        case .compare(let left, _, let right): _ = try common(type(of: left), type(of: right))
        case .isTrue(let operand): try require(operand, .boolean)
        case .like(let operand, let pattern, _):
            try require(operand, .string)
            try TextPattern.check(pattern, entity)
        case .contains(let left, let right, _), .startsWith(let left, let right, _), .endsWith(let left, let right, _):
            try require(left, .string)
            try require(right, .string)
        case .isIn(let operand, let values):
            try checkLength(of: values)
            let type = try type(of: operand)
            for value in values { _ = try common(type, OperandType(kind: .init(value), isNullable: true)) }
        case .all(let conditions), .any(let conditions):
            for condition in conditions { try check(condition) }
        case .not(let condition): try check(condition)
        case .related(let name, let condition): try destination(name).check(condition)
        }
    }

    /// The most values of a list that are not all whole numbers.
    ///
    /// SQLite takes 32,766 parameters in one statement; some are needed for the rest of it.
    static let maximumListCount = 32_000

    private func checkLength(of values: [StoredValue]) throws {
        guard values.count > Self.maximumListCount, values.contains(where: { !$0.isNull && !$0.isWhole }) else {
            return
        }
        throw PersistenceError(
            .invalidRequest,
            "a list of \(values.count) values; at most \(Self.maximumListCount) are supported where not all are whole numbers",
            entity: entity.name)
    }

    private func require(_ operand: FetchOperand, _ kind: OperandType.Kind) throws {
        let found = try type(of: operand).kind
        guard found == kind || found == .null else { throw mismatch("a \(found) where a \(kind) is expected") }
    }

    private func type(of left: FetchOperand, _ operation: FetchArithmetic, _ right: FetchOperand) throws -> OperandType
    {
        let (left, right) = (try type(of: left), try type(of: right))
        let isNullable = left.isNullable || right.isNullable
        for kind in [left.kind, right.kind] where !kind.isNumber && kind != .null {
            throw mismatch("a \(kind) cannot be calculated with")
        }
        switch (operation, left.kind, right.kind) {
        case (.multiply, .decimal(let first), .decimal(let second)):
            guard first + second <= ScaledDecimal.maximumScale else {
                throw mismatch("the product has more than \(ScaledDecimal.maximumScale) digits after the point")
            }
            return OperandType(kind: .decimal(scale: first + second), isNullable: isNullable)
        case (.divide, .decimal, _), (.divide, _, .decimal), (.divideWhole, .decimal, _), (.divideWhole, _, .decimal),
            (.remainder, .decimal, _), (.remainder, _, .decimal):
            throw mismatch("decimals are added, subtracted and multiplied, not divided")
        case (.divide, _, _): return OperandType(kind: .double, isNullable: isNullable)
        default: return OperandType(kind: try common(left, right), isNullable: isNullable)
        }
    }

    private func common(_ left: OperandType, _ right: OperandType) throws -> OperandType.Kind {
        guard let kind = left.kind.common(with: right.kind) else {
            throw mismatch("a \(left.kind) and a \(right.kind) cannot be compared")
        }
        return kind
    }

    private func mismatch(_ message: String) -> PersistenceError {
        PersistenceError(.invalidRequest, message, entity: entity.name)
    }
}

extension OperandType.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "whole number"
        case .double: "double"
        case .decimal: "decimal"
        case .string: "string"
        case .date: "date"
        case .uuid: "UUID"
        case .binary: "binary value"
        }
    }
}

extension StoredValue {
    fileprivate var isWhole: Bool {
        if case .integer = self { true } else { false }
    }
}
