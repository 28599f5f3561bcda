public import Foundation

/// One value in the form that contexts, stores, conditions and bulk operations share.
///
/// Equality, order and hashing follow the rules of <doc:ComparisonRules>; they are the same in every store.
///
/// The cases are fewer than the types of attributes: an integer has one case for all widths, and a reference is an
/// integer. A value is not validated: ``converted(to:)`` returns its form for an attribute's type, or `nil` if it has
/// none.
///
/// Numbers of different cases can be equal: `.integer(5)` equals `.double(5)` and the decimal 5.0, and their hashes are
/// equal. A double and a decimal are never equal, and a request cannot compare them.
///
/// ## Topics
///
/// ### Null
///
/// - ``null``
/// - ``isNull``
///
/// ### Numbers and truth values
///
/// - ``integer(_:)``
/// - ``double(_:)``
/// - ``decimal(_:)``
/// - ``boolean(_:)``
///
/// ### Texts and data
///
/// - ``string(_:)``
/// - ``uuid(_:)``
/// - ``binary(_:)``
///
/// ### Dates and times
///
/// - ``date(_:)``
/// - ``day(_:)``
/// - ``timeOfDay(_:)``
///
/// ### Converting
///
/// - ``converted(to:)``
/// - ``description``
/// - ``kindName``
///
/// ### Calculating
///
/// - ``negated()``
/// - ``scaledUp(to:)``
public enum StoredValue: Sendable {
    /// Null: no value; it is equal to itself and is before every other value.
    case null
    /// True or false.
    case boolean(Bool)
    /// An integer of 16, 32 or 64 bits.
    case integer(Int64)
    /// A finite floating-point number.
    case double(Double)
    /// An exact decimal number.
    case decimal(ScaledDecimal)
    /// Text.
    case string(String)
    /// An instant.
    case date(Date)
    /// A day of the calendar.
    case day(Day)
    /// A time of day.
    case timeOfDay(TimeOfDay)
    /// A universally unique identifier.
    case uuid(UUID)
    /// Bytes.
    case binary(Data)
}

extension StoredValue {
    /// A Boolean value that indicates whether this is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The integer; `nil` if this is null or of another type.
    package var integerValue: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The coding of the value's type; `nil` for null.
    package var coding: (any AttributeCoding)? {
        switch self {
        case .null: nil
        case .boolean: BooleanCoding()
        case .integer: IntegerCoding(bits: 64)
        case .double: DoubleCoding()
        case .decimal(let value): DecimalCoding(scale: value.scale)
        case .string: StringCoding()
        case .date: DateCoding()
        case .day: DayCoding()
        case .timeOfDay: TimeOfDayCoding()
        case .uuid: UUIDCoding()
        case .binary: BinaryCoding()
        }
    }

    /// The name of the kind, for messages: `null`, `boolean`, `integer`, and so on.
    public var kindName: String { coding?.valueName ?? "null" }

    /// Returns the value converted to the form in which a store keeps values of a type.
    ///
    /// An integer is accepted for a double or a decimal. A decimal is converted to the declared scale, and a date is
    /// rounded to the nanosecond; `-0.0` becomes `0.0`. Null belongs to every type.
    ///
    /// - Returns: The value, or `nil` if it is not a value of the type. Examples are a decimal with more digits than
    ///     the scale, a number that is out of the type's range or not finite, and text with U+0000.
    public func converted(to type: AttributeType) -> StoredValue? {
        isNull ? .null : type.coding.converted(self)
    }

    /// The value in the form that stores keep.
    package var stored: StoredForm {
        switch self {
        case .string(let text): .text(text)
        case .integer(let number): .integer(number)
        case .double(let number): .real(number)
        case .date(let date): .real(date.timeIntervalSinceReferenceDate)
        default: coding?.stored(self) ?? .null
        }
    }
}

extension StoredValue {
    /// Returns a Boolean value that indicates whether ``converted(to:)`` returns the value unchanged, for usual values.
    ///
    /// `false` does not mean that the value would change.
    func isStored(as type: AttributeType) -> Bool {
        switch (type, self) {
        case (.string, .string(let text)): !text.holdsZero
        case (.integer64, .integer), (.boolean, .boolean), (.uuid, .uuid), (.binary, .binary): true
        case (.integer16, .integer(let number)): Int16(exactly: number) != nil
        case (.integer32, .integer(let number)): Int32(exactly: number) != nil
        case (.double, .double(let number)): number.isFinite && !number.isNegativeZero
        case (.decimal(let scale), .decimal(let number)): number.scale == scale
        case (.date, .date(let date)): date.timeIntervalSinceReferenceDate.isWhole
        default: false
        }
    }
}

extension Double {
    fileprivate var isNegativeZero: Bool { self == 0 && sign == .minus }
    fileprivate var isWhole: Bool { isFinite && rounded(.towardZero) == self && !isNegativeZero }
}

extension String {
    /// A Boolean value that indicates whether the text contains U+0000, at which SQLite's functions would truncate it.
    var holdsZero: Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? utf8.contains(0)
    }
}

extension StoredValue: CustomStringConvertible {
    /// The value as text for messages about a user's own data.
    public var description: String { coding?.describe(self) ?? "null" }
}
