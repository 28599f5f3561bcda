import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import Testing

/// Tests that values of every type in many spellings are stored unchanged or rejected with their location.
///
/// One seed generates 500 values of each type, and all seeds generate 10,000 values.
@Suite("Import of generated values in many formats")
struct GeneratedSpellingsTests {
    /// An attribute, the format of its values in a file, and their generator.
    struct Variant: Sendable, CustomTestStringConvertible {
        let attribute: String
        let format: DatasetFormat
        let options: [(SpellingOption.Kind, String)]
        let make: @Sendable (inout SpellingGenerator) -> GeneratedSpelling

        var testDescription: String { "\(attribute) \(format) " + options.map(\.1).joined(separator: " ") }

        init(
            _ attribute: String, _ format: DatasetFormat, _ options: [(SpellingOption.Kind, String)] = [],
            make: @escaping @Sendable (inout SpellingGenerator) -> GeneratedSpelling
        ) {
            (self.attribute, self.format, self.options, self.make) = (attribute, format, options, make)
        }
    }

    /// Returns all variants of one attribute.
    static func variants(of attribute: String) -> [Variant] {
        DatasetFormat.allCases.filter { $0 != .tsv }.flatMap { format -> [Variant] in
            let isDocument = !format.isTable
            func numbers(
                _ make:
                    @escaping @Sendable (inout SpellingGenerator, _ decimal: String, _ group: String) ->
                    GeneratedSpelling
            ) -> [Variant] {
                [(".", ""), (".", ","), (",", "."), (",", "’"), (".", "\u{202F}")].map { decimal, group in
                    var options: [(SpellingOption.Kind, String)] = decimal == "." ? [] : [(.decimal, decimal)]
                    if !group.isEmpty { options.append((.group, "\(attribute)=\(group)")) }
                    return Variant(attribute, format, options) { make(&$0, decimal, group) }
                }
            }
            let days = SpellingGenerator.dateSpellings.filter { !$0.hasTime }
            switch attribute {
            case "small":
                return numbers { $0.whole(Int64(Int16.min)...Int64(Int16.max), group: $2, isDocument: isDocument) }
            case "whole": return numbers { $0.whole(.min ... .max, group: $2, isDocument: isDocument) }
            case "real": return numbers { $0.double(decimal: $1, group: $2) }
            case "price": return numbers { $0.price(decimal: $1, group: $2) }
            case "flag":
                return [
                    Variant(attribute, format) { $0.truth(words: nil, isDocument: isDocument) },
                    Variant(attribute, format, [(.trueWord, "ja"), (.falseWord, "flag=nein")]) {
                        $0.truth(words: ("ja", "nein"), isDocument: isDocument)
                    },
                ]
            case "day":
                return [Variant(attribute, format) { $0.isoDate() }]
                    + SpellingGenerator.dateSpellings.map { spelling in
                        Variant(attribute, format, [(.dateFormat, spelling.pattern)]) { $0.date(spelling) }
                    }
            case "birthday":
                return [Variant(attribute, format) { $0.day(nil) }]
                    + days.map { spelling in
                        Variant(attribute, format, [(.dateFormat, "birthday=" + spelling.pattern)]) { $0.day(spelling) }
                    }
            case "opens":
                return [nil, "%H:%M", "%I:%M %p", "%H:%M:%S.%f", "%Hh%Mm%S,%f"].map { pattern in
                    Variant(attribute, format, pattern.map { [(.dateFormat, $0)] } ?? []) { $0.time(pattern) }
                }
            case "key": return [Variant(attribute, format) { $0.uuid() }]
            case "bytes": return [Variant(attribute, format) { $0.bytes() }]
            default: return [Variant(attribute, format) { $0.text(isDocument: isDocument) }]
            }
        }
    }

    private static let attributes = [
        "text", "small", "whole", "real", "price", "flag", "day", "key", "bytes", "birthday", "opens",
    ]

    @Test(
        "generated values in any format are stored correctly or rejected with their location", arguments: attributes,
        Seeds.first(1, of: 1...20))
    func roundTrip(attribute: String, seed: Int) throws {
        let variants = Self.variants(of: attribute)
        for (number, variant) in variants.enumerated() {
            var generator = SpellingGenerator(seed: UInt64(seed * 1_000 + number))
            let count = 500 / variants.count + (number < 500 % variants.count ? 1 : 0)
            try check(variant, (0..<count).map { _ in variant.make(&generator) }, &generator)
        }
    }

    private func check(_ variant: Variant, _ values: [GeneratedSpelling], _ generator: inout SpellingGenerator) throws {
        let (bytes, lines) = Self.file(values, variant, &generator)
        let container = try SampleModel.container()
        var options = ImportOptions(format: variant.format)
        options.reading.spellingOptions = try variant.options.map { try SpellingOption($0, $1) }
        options.reading.dialect.separator = .comma
        options.onError = .reject
        var problems: [Int: InterchangeError] = [:]
        options.onProblem = { problem in
            let record = try #require(problem.error.record, "\(problem.error)")
            #expect(problems.updateValue(problem.error, forKey: record) == nil)
        }
        let importer = try DatasetImporter(entity: "Thing", container: container, options: options)
        _ = try importer.run(ByteInput(bytes: bytes, name: "f"))
        let entity = try container.model.entity(named: "Thing")
        let column = try #require(entity.columnIndex(variant.attribute))
        var stored: [Int64: [UInt8]] = [:]
        var nulls: Set<Int64> = []
        for row in try container.coordinator.store.rows(StoreRequest("Thing")) {
            let value = row.values[column]
            guard !value.isNull else {
                nulls.insert(row.id)
                continue
            }
            try ByteBuffer.append(to: &stored[row.id, default: []]) { (buffer: inout ByteBuffer) throws(InvalidText) in
                try entity.columns[column].type.coding.write(value, to: &buffer)
            }
        }
        for (index, value) in values.enumerated() {
            let (found, problem) = (stored[Int64(index + 1)], problems[index + 1])
            if value.text.isEmpty, value.outcome == .refused, variant.format.isTable {
                // An empty field, quoted or not, is null if it is not a value.
                #expect(nulls.contains(Int64(index + 1)) && problem == nil, "\(variant.testDescription)")
                continue
            }
            #expect((found == nil) == (problem != nil), "\(variant.testDescription): \(value)")
            switch value.outcome {
            case .stored(let text):
                #expect(found == Array(text.utf8), "\(variant.testDescription): \(value) \(problem.debugDescription)")
            case .refused: #expect(found == nil, "\(variant.testDescription): \(value)")
            case .storedOrRefused(let text):
                #expect(found == nil || found == Array(text.utf8), "\(variant.testDescription): \(value)")
            }
            if let problem {
                #expect(problem.line == lines[index] && problem.source == "f", "\(value): \(problem)")
                #expect(problem.column == variant.attribute || problem.code == .malformed, "\(value): \(problem)")
            }
        }
        try container.close()
    }

    /// Returns a file with one value per record, and the lines at which the records begin.
    private static func file(
        _ values: [GeneratedSpelling], _ variant: Variant, _ generator: inout SpellingGenerator
    ) -> (bytes: [UInt8], lines: [Int]) {
        var text = variant.format.isTable ? "id,\(variant.attribute)\n" : variant.format == .json ? "[\n" : ""
        var lines: [Int] = []
        var line = variant.format == .ndjson ? 1 : 2
        for (index, value) in values.enumerated() {
            lines.append(line)
            let record: String
            if variant.format.isTable {
                record = "\(index + 1),\(value.isLiteral ? value.text : field(value.text, &generator))"
            } else {
                let literal = value.isLiteral ? value.text : string(value.text, &generator)
                let comma = variant.format == .json && index + 1 < values.count ? "," : ""
                record = "{\"id\":\(index + 1),\"\(variant.attribute)\":\(literal)}\(comma)"
            }
            text += record + "\n"
            line += 1 + record.replacing("\r\n", with: "\n").utf8.count { $0 == 10 || $0 == 13 }
        }
        return (Array((text + (variant.format == .json ? "]\n" : "")).utf8), lines)
    }

    private static func field(_ text: String, _ generator: inout SpellingGenerator) -> String {
        let needsQuotes = text.isEmpty || text.utf8.contains { [34, 44, 10, 13].contains($0) }
        guard needsQuotes || generator.chance(3) else { return text }
        return "\"" + String(decoding: text.utf8.flatMap { $0 == 34 ? [34, 34] : [$0] }, as: UTF8.self) + "\""
    }

    private static func string(_ text: String, _ generator: inout SpellingGenerator) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" || scalar.value < 0x20 || generator.chance(8) {
                for unit in String(scalar).utf16 {
                    let hex = String(unit, radix: 16, uppercase: generator.chance(2))
                    literal += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                }
            } else {
                literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
