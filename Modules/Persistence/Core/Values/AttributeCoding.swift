/// The coding of one attribute type: its names, and how its values are stored, compared, read and written.
///
/// Only ``AttributeType/coding`` and ``StoredValue/coding`` list all types. Code that handles values of any type uses
/// the coding, once for each column if there are many rows. A `switch` over types elsewhere is only a faster path for
/// common types. Unless its comment states an exception, a method receives values of the coding's own type, never null.
package protocol AttributeCoding: Sendable {
    // MARK: Names

    /// The type's name in the model's JSON and in messages: `integer16`.
    var name: String { get }
    /// The name of a value of the type in messages: `integer`.
    var valueName: String { get }
    /// The name of a value of the type in conditions: `whole number`.
    var kindName: String { get }
    /// The name of the type in a report: `decimal, 2 digits`.
    var spokenName: String { get }

    // MARK: Form

    /// The storage class in which stores contain values of the type.
    var storage: StorageClass { get }
    /// The kind of operands to which values of the type belong; values of one kind can be compared.
    var kind: OperandType.Kind { get }
    /// A Boolean value that indicates whether the type's values can be used in arithmetic.
    var isNumber: Bool { get }
    /// The position of the type's values among values of other types, which they are never compared with in requests.
    var rank: Int { get }
    /// The range of valid integers in the stored form; `nil` if values are not stored as integers.
    var integers: ClosedRange<Int64>? { get }
    /// A Boolean value that indicates whether any filled cell of the type's storage class is a valid value.
    var isAnyCellValid: Bool { get }

    // MARK: Values

    /// Returns a sample value for testing the declaration of a record type; `nil` if there is none.
    ///
    /// The value is `number` steps after `start`. If `start` is `nil`, it is `number` steps after the type's first
    /// sample.
    func sample(_ number: Int64, after start: StoredValue?) -> StoredValue?
    /// Converts a value of any type except null to the stored form of this type; `nil` if it cannot be converted.
    func converted(_ value: StoredValue) -> StoredValue?
    /// Returns the validation message for a value, of any type, that could not be converted: `is not a date`.
    func refusal(of value: StoredValue) -> String
    /// Returns the order of two values.
    func compare(_ left: StoredValue, _ right: StoredValue) -> Order
    /// Hashes a value; equal values have equal hashes.
    func hash(_ value: StoredValue, into hasher: inout Hasher)
    /// Returns a value as text for messages that may contain the user's data.
    func describe(_ value: StoredValue) -> String

    // MARK: Stores

    /// Returns a value in the form in which stores contain it.
    func stored(_ value: StoredValue) -> StoredForm
    /// Returns the value of a stored form that is not null; `nil` if the form is not a value of the type.
    func value(_ raw: RawValue) -> StoredValue?
    /// Returns a Boolean value that indicates whether the text of a value is also its stored form.
    func isStored(_ text: Span<UInt8>) -> Bool

    // MARK: Text

    /// Reads a value from a text of a dataset or a predicate.
    func parse(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue
    /// Reads a number of a JSON document.
    ///
    /// Its text may have a fraction or an exponent even if its value has none.
    func parseNumber(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue
    /// Writes a value in the form of datasets, without quotes or escapes.
    func write(_ value: StoredValue, to buffer: inout ByteBuffer) throws(InvalidText)
    /// The form of a value in a JSON document.
    var json: JSONForm { get }
    /// The expected form in error messages about a JSON document: `a date in a string`.
    var jsonName: String { get }
    /// The form of a constant in a predicate: `"2020-01-31"`.
    var example: String { get }
    /// The reason why a text in a predicate is not a value: `not a date as in ISO 8601; write …`.
    ///
    /// The property is `nil` if constants of the type are not written as texts.
    var textRefusal: String? { get }
}

/// The form of values in a JSON document.
package enum JSONForm: Sendable {
    /// `true` or `false`.
    case boolean
    /// A number; it is also read from a string.
    case number
    /// A string.
    case string
}

// The defaults, which most types use.
extension AttributeCoding {
    package var valueName: String { name }
    package var kindName: String { valueName }
    package var spokenName: String { name }
    package var isNumber: Bool { false }
    package var integers: ClosedRange<Int64>? { nil }
    package var isAnyCellValid: Bool { false }
    package func refusal(of value: StoredValue) -> String { "is not of type \(name)" }
    package func isStored(_ text: Span<UInt8>) -> Bool { false }
    package func parseNumber(_ text: Span<UInt8>) throws(InvalidText) -> StoredValue { try parse(text) }
    package var json: JSONForm { .string }
    package var textRefusal: String? { nil }
}

extension AttributeCoding {
    /// Reads a value from a text in memory.
    package func parse(_ text: String) throws(InvalidText) -> StoredValue { try parse(Array(text.utf8).span) }
}
