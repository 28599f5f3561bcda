import StrataModelSwift

/// The options of generated code in a file next to the model file.
///
/// ```json
/// {"access": "internal", "parts": ["repositories", "doubles"], "prefix": "Shop"}
/// ```
struct BuildOptions: Decodable {
    /// The options for the generator.
    private(set) var options = SwiftModelOptions(parts: [.repositories])

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case access, parts, prefix
    }

    /// A name in the file.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        let known = CodingKeys.allCases.map(\.rawValue)
        if let unknown = names.sorted().first(where: { !known.contains($0) }) {
            throw BuildError("“\(unknown)” is not an option; the options are \(known.joined(separator: ", "))")
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if let word = try values.decodeIfPresent(String.self, forKey: .access) {
            options.access = try Self.value(word, of: "access")
        }
        if let words = try values.decodeIfPresent([String].self, forKey: .parts) {
            options.parts = Set(try words.map { try Self.value($0, of: "parts") })
        }
        options.prefix = try values.decodeIfPresent(String.self, forKey: .prefix) ?? ""
    }

    private static func value<Value: RawRepresentable & CaseIterable>(
        _ word: String, of option: String
    ) throws(BuildError) -> Value where Value.RawValue == String {
        if let value = Value(rawValue: word) { return value }
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw BuildError("“\(word)” is not a value of \(option); the values are \(words)")
    }
}
