package import StrataCore
import StrataInterchange
import StrataModelFiles

/// A type that the user specified for a column.
///
/// The specification is a name from ``names``, which may be followed by a colon and an argument: the count of decimal
/// places of a decimal, or the format of a day, a time or a date.
///
/// The type is used even if cells do not match it. The inference then fails with the first such cell, unless invalid
/// records are rejected, because the import would reject these records, too.
package struct GivenType: Sendable {
    /// The specification of the type as the user wrote it.
    let text: String
    private let name: String
    private let argument: String?

    /// The names of the types that a user can specify.
    package static let names = [
        "text", "integer", "decimal", "double", "boolean", "uuid", "day", "time", "date", "dateTime", "binary",
    ]

    /// Creates a type from its specification, such as `text`, `decimal:2` or `day:%d/%m/%Y`; returns `nil` if it is
    /// invalid.
    ///
    /// - Parameter text: The specification. A scale is from 0 to 18. The format of a `day` and of a `date` must have a
    ///   day, and that of a `time` must not.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, Self.names.contains(String(first)) else { return nil }
        self.text = text
        name = String(first)
        argument = parts.count > 1 ? String(parts[1]) : nil
        switch (name, argument) {
        case (_, nil): break
        case ("decimal", let digits?): guard let scale = Int(digits), (0...18).contains(scale) else { return nil }
        case ("day", let format?), ("date", let format?), ("time", let format?):
            // The command line reports the error in the format.
            guard let pattern = try? DatePattern(format), pattern.hasDay == (name != "time") else { return nil }
        default: return nil
        }
    }

    /// The corresponding type in the model; `nil` if it is a text, which every cell matches.
    var attributeType: AttributeType? {
        switch name {
        case "integer": .integer64
        case "decimal": argument.flatMap { UInt8($0) }.map { .decimal(scale: $0) } ?? .double
        case "double": .double
        case "boolean": .boolean
        case "uuid": .uuid
        case "day": .day
        case "time": .timeOfDay
        case "date": .date
        case "binary": .binary
        default: nil
        }
    }

    /// The kind of the type by which keys and references are compared.
    var kind: CellKind { name == "integer" ? .integer : name == "uuid" ? .uuid : .text }

    /// Returns the spelling of the column's cells: the format in the type, or otherwise the user's spelling of the
    /// column.
    func spelling(in said: ValueSpelling) -> ValueSpelling {
        var spelling = said
        // An invalid format is an error of the options.
        if let argument, name != "decimal", let pattern = try? DatePattern(argument) {
            if pattern.hasDay { spelling.dateFormat = pattern } else { spelling.timeFormat = pattern }
        }
        return spelling
    }

    /// Returns a value of this type, such as a default, as JSON for a descriptor; `nil` if the text is not a value of
    /// the type.
    package func json(_ text: String) -> JSONValue? {
        let bytes = Array(text.utf8)
        if let type = attributeType, CellCheck(type, ValueSpelling()).reason(bytes.span) != nil { return nil }
        switch name {
        case "integer": return Int64(text).map { .number($0) }
        case "double": return Double(text).map { .number($0) }
        // A descriptor contains decimals as texts, which keep their digits.
        case "boolean": return .boolean(["true", "yes", "1"].contains(text.lowercased()))
        default: return .string(text)
        }
    }

    /// Returns the JSON properties of a descriptor's field of this type, with the default spelling.
    ///
    /// - Parameter scale: The count of digits after the point, for a decimal type without an explicit scale.
    /// - Returns: The properties except the name and the constraints.
    package func members(scale: Int) -> [JSONValue.Member] { members(scale: scale, ValueSpelling()) }

    /// Returns the JSON properties of a descriptor's field of this type.
    ///
    /// - Parameters:
    ///   - scale: The count of digits after the point in the cells.
    ///   - said: The spelling that the user specified for the column.
    /// - Returns: The properties except the name and the constraints.
    func members(scale: Int, _ said: ValueSpelling) -> [JSONValue.Member] {
        var members = usualMembers(scale: scale)
        let spelling = spelling(in: said)
        func add(_ name: String, _ text: String) { members.append(.init(name: name, value: .string(text))) }
        func add(_ name: String, _ words: [String]) {
            if !words.isEmpty { members.append(.init(name: name, value: .array(words.map(JSONValue.string)))) }
        }
        switch name {
        case "integer", "decimal", "double":
            if name != "integer", let decimal = spelling.decimal, decimal != .point { add("decimalChar", decimal.text) }
            if let group = spelling.group { add("groupChar", group.text) }
        case "boolean":
            add("trueValues", spelling.trueWords)
            add("falseValues", spelling.falseWords)
        case "day", "date", "time":
            let format = name == "time" ? spelling.timeFormat : spelling.dateFormat
            if let format { for (name, text) in DateFormat.properties(of: format.text) { add(name, text) } }
        default: break
        }
        return members
    }

    /// Returns the JSON properties of a descriptor's field of this type, without a spelling.
    private func usualMembers(scale: Int) -> [JSONValue.Member] {
        func texts(_ pairs: KeyValuePairs<String, String>) -> [JSONValue.Member] {
            pairs.map { .init(name: $0.key, value: .string($0.value)) }
        }
        switch name {
        case "integer": return texts(["type": "integer"])
        case "decimal":
            let digits = argument.flatMap { Int($0) } ?? min(18, scale)
            return texts(["type": "number"]) + [.init(name: "strata:scale", value: .number(digits))]
        case "double": return texts(["type": "number", "strata:type": "double"])
        case "boolean": return texts(["type": "boolean"])
        case "uuid": return texts(["type": "string", "format": "uuid", "strata:type": "uuid"])
        case "day": return texts(["type": "date"])
        case "time": return texts(["type": "time"])
        case "date": return texts(["type": "datetime", "strata:type": "date"])
        case "dateTime": return texts(["type": "datetime"])
        case "binary": return texts(["type": "string", "format": "binary", "strata:type": "binary"])
        default: return texts(["type": "string"])
        }
    }
}
