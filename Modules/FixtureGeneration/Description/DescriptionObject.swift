import Foundation
import StrataCore

/// A JSON object in a description; a member with an unknown name is an error.
///
/// The methods that read a member return `nil` if the member is missing, and throw an error with the location of the
/// member if it has another type or is out of range. A caller combines the result with its default: `try
/// object.integer("step", in: 1...9) ?? 1`.
struct DescriptionObject {
    private let value: JSONValue
    private let members: [JSONValue.Member]
    private let entity: String?
    private let attribute: String?

    /// Creates an object after checking the names of its members.
    ///
    /// - Parameters:
    ///   - value: The JSON value that must be an object.
    ///   - names: The allowed names of members.
    ///   - entity: The entity that the object describes, for errors.
    ///   - attribute: The attribute that the object describes, for errors.
    /// - Throws: ``FixtureError`` if the value is not an object or has an unknown member.
    init(
        _ value: JSONValue, _ names: [String], entity: String? = nil, attribute: String? = nil
    ) throws(FixtureError) {
        self.value = value
        self.entity = entity
        self.attribute = attribute
        guard case .object(let members) = value.content else {
            throw value.error(entity: entity, attribute: attribute, "an object is expected, not \(value.kind)")
        }
        self.members = members
        for member in members where !names.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
            throw member.value.error(
                code: .unknown, entity: entity, attribute: attribute,
                "the key \"\(member.name)\" is unknown; the keys are \(names.joined(separator: ", "))")
        }
    }

    /// Returns the member with a name, or `nil` if the object does not have it.
    subscript(name: String) -> JSONValue? { members[name] }

    /// Returns an error with the location of the object.
    func error(_ message: String) -> FixtureError {
        value.error(entity: entity, attribute: attribute, message)
    }

    /// Returns an error with the location of a member of the object.
    func error(at name: String, code: FixtureError.Code = .invalidDescription, _ message: String) -> FixtureError {
        (self[name] ?? value).error(code: code, entity: entity, attribute: attribute, message)
    }

    private func wrong(_ name: String, _ what: String) -> FixtureError {
        error(at: name, "\"\(name)\" must be \(what)")
    }

    /// Reads an optional member: JSON null results in `nil`, and a missing member in the default value.
    func optional<Value>(
        _ name: String, usual: Value?, _ read: (String) throws(FixtureError) -> Value?
    ) throws(FixtureError) -> Value? {
        if case .null = self[name]?.content { return nil }
        return try read(name) ?? usual
    }

    /// Reads an integer in a range from a member, or returns `nil` if the member is missing.
    func integer<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>
    ) throws(FixtureError) -> Number? {
        guard let value = self[name] else { return nil }
        guard case .number(let digits) = value.content, let number = Number(digits), range.contains(number) else {
            throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Reads a number from a member, or returns `nil` if the member is missing.
    func number(_ name: String) throws(FixtureError) -> Decimal? {
        guard let value = self[name] else { return nil }
        guard case .number(let digits) = value.content else { throw wrong(name, "a number") }
        guard let number = Decimal(exactly: digits) else {
            throw wrong(name, "a number of at most 38 digits, not \(digits)")
        }
        return number
    }

    /// Reads a share from a member, or returns `nil` if the member is missing.
    func share(_ name: String) throws(FixtureError) -> FixtureShare? {
        guard let number = try number(name) else { return nil }
        guard let share = FixtureShare(number) else {
            throw wrong(name, "a number from 0 to 1 with at most six digits after the point")
        }
        return share
    }

    /// Reads a Boolean value from a member, or returns `nil` if the member is missing.
    func boolean(_ name: String) throws(FixtureError) -> Bool? {
        guard let value = self[name] else { return nil }
        guard case .boolean(let boolean) = value.content else { throw wrong(name, "true or false") }
        return boolean
    }

    /// Reads a text from a member, or returns `nil` if the member is missing.
    func text(_ name: String) throws(FixtureError) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value.content else { throw wrong(name, "a text") }
        return text
    }

    /// Reads an instant from a member, or returns `nil` if the member is missing.
    func instant(_ name: String) throws(FixtureError) -> FixtureInstant? {
        guard let text = try text(name) else { return nil }
        guard let instant = FixtureInstant(text) else {
            throw wrong(name, "a date such as 2025-01-31, or an instant such as 2025-01-31T12:00:00Z")
        }
        return instant
    }

    /// Reads one of a type's words from a member, or returns `nil` if the member is missing.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String) throws(FixtureError) -> Word? {
        guard let text = try text(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw wrong(name, "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    /// Reads a list with a required count of integers from a member, or returns `nil` if the member is missing.
    func integers(
        _ name: String, count: Int, in range: ClosedRange<Int>, _ what: String
    ) throws(FixtureError) -> [Int]? {
        guard let value = self[name] else { return nil }
        guard case .array(let elements) = value.content, elements.count == count else { throw wrong(name, what) }
        var numbers: [Int] = []
        for element in elements {
            guard case .number(let digits) = element.content, let number = Int(digits), range.contains(number) else {
                throw wrong(name, what)
            }
            numbers.append(number)
        }
        return numbers
    }
}
