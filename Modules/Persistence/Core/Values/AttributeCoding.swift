/// All that is particular to one attribute type: what it is called, how its values are kept, compared, read from text and written.
///
/// Found by ``AttributeType/coding`` and ``StoredValue/coding``, the only places that list all types for it. What handles values of any
/// type asks the coding, once a column where there are many rows; a `switch` over types elsewhere is a short cut for the usual ones
/// and ends in the coding. Functions that take a value are given values of the coding's own type, never null, unless they say otherwise.
package protocol AttributeCoding: Sendable {
    // MARK: Names

    /// The type's name in the model's JSON and in messages: `integer16`.
    var name: String { get }
    /// What messages call a value of it: `integer`.
    var valueName: String { get }
    /// What conditions call a value of it: `whole number`.
    var kindName: String { get }
    /// What a report calls it: `decimal, 2 digits`.
    var spokenName: String { get }

    // MARK: Form

    /// The form in which stores keep its values.
    var storage: StorageClass { get }
    /// With what its values can be compared.
    var kind: OperandType.Kind { get }
    /// Whether its values are calculated with.
    var isNumber: Bool { get }
    /// Where values of the type stand among those of others, which they are never compared with: a number of its own.
    var rank: Int { get }
    /// The whole numbers that are values, as they are kept; `nil` where values are kept otherwise.
    var integers: ClosedRange<Int64>? { get }
    /// Whether whatever a filled cell of the type's storage holds is a value.
    var isAnyCellValid: Bool { get }

    // MARK: Values

    /// A value with which a declaration is tried, so many steps after another one or after the type's first; `nil` where there is none.
    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue?
    /// Brings a value of any type, but for null, to the stored form of this one; `nil` when it is not of this type.
    func converted(_ value: StoredValue) -> StoredValue?
    /// What a validation says of a value, of any type, that could not be converted: `is not a date`.
    func refusal(of value: StoredValue) -> String
    /// How two values stand to each other.
    func compare(_ left: StoredValue, _ right: StoredValue) -> Order
    /// Feeds a value to a hasher: equal values alike.
    func hash(_ value: StoredValue, into hasher: inout Hasher)
    /// A value for messages about a user's own data.
    func describe(_ value: StoredValue) -> String

    // MARK: Stores

    /// A value as it is kept.
    func stored(_ value: StoredValue) -> StoredForm
    /// The value of what is kept, which is not null; `nil` when that is none.
    func value(_ raw: RawValue) -> StoredValue?
    /// Whether a text is kept as it stands.
    func isStored(_ text: Span<UInt8>) -> Bool

    // MARK: Text

    /// Reads a text of a dataset or a predicate.
    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue
    /// Reads a number of a JSON document, whose text may have a fraction or an exponent where its value has none.
    func parseNumber(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue
    /// Writes a value as datasets have it, without quotes or escapes.
    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText)
    /// What a value is in a JSON document.
    var json: JSONForm { get }
    /// What a JSON document should have had: `a date in a string`.
    var jsonName: String { get }
    /// How a constant is written in a predicate: `"2020-01-31"`.
    var example: String { get }
    /// Why a text in a predicate is none: `not a date as in ISO 8601; write …`; `nil` where constants are not written as texts.
    var textRefusal: String? { get }
}

/// What values are in a JSON document.
package enum JSONForm: Sendable {
    /// `true` or `false`.
    case boolean
    /// A number; read from a string too.
    case number
    /// A string.
    case string
}

// What holds for most types.
extension AttributeCoding {
    package var valueName: String { name }
    package var kindName: String { valueName }
    package var spokenName: String { name }
    package var isNumber: Bool { false }
    package var integers: ClosedRange<Int64>? { nil }
    package var isAnyCellValid: Bool { false }
    package func refusal(of value: StoredValue) -> String { "is not a \(name)" }
    package func isStored(_ text: Span<UInt8>) -> Bool { false }
    package func parseNumber(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue { try parse(text) }
    package var json: JSONForm { .string }
    package var textRefusal: String? { nil }
}

extension AttributeCoding {
    /// Reads a text that is in memory.
    package func parse(_ text: String) throws(InvalidText) -> StoredValue { try parse(Array(text.utf8).span) }
}
