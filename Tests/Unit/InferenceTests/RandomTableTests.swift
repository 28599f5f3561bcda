import StrataInference
import StrataTestSupport
import Testing

/// Tables of random columns with some irregular cells, whose bytes an export must preserve.
@Suite("Inference of random tables")
struct RandomTableTests {
    private static let odd = [
        "00501", "+7", "1e5", "1,5", "1.50", "-0", "NA", "-", "", "true", "yes", "2024-13-01", "01/02/2024", "1.234,5",
        "9223372036854775808", "0.1", "x", "1 000", "12:60:00", "2024-01-01T00:00:00Z", "\u{A0}1", "=1+1", "\"", "a,b",
    ]

    private static func cell(_ kind: Int, _ random: inout SeededGenerator) -> String {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        func two(_ range: ClosedRange<Int>) -> String {
            let text = String(number(range))
            return text.count < 2 ? "0" + text : text
        }
        switch kind {
        case 0: return String(number(-1000...100_000))
        case 1: return "\(number(0...999)).\(two(0...99))"
        case 2: return number(0...1) == 0 ? "true" : "false"
        case 3: return "20\(two(10...29))-\(two(1...12))-\(two(1...28))"
        case 4: return "\(two(1...28)).\(two(1...12)).20\(two(10...29))"
        case 5: return number(0...1) == 0 ? "yes" : "no"
        case 6: return "\(two(0...23)):\(two(0...59)):\(two(0...59))"
        case 7: return "\(number(0...99)),\(two(0...99))"
        case 8: return "\(Double(number(-1_000_000...1_000_000)) / 7)"
        case 9: return "\(number(1...9)) \(two(10...99))\(number(0...9))"
        default: return String((0..<number(0...6)).map { _ in "abcXYZ äß\"',;".randomElement(using: &random) ?? "a" })
        }
    }

    private static func written(_ text: String) -> String {
        let isQuoted =
            text.isEmpty || text.hasPrefix(" ") || text.hasSuffix(" ") || text.contains { ",\"\n\r".contains($0) }
        return isQuoted ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    @Test(
        "every cell of a random table is imported with the inferred model and exported unchanged",
        arguments: Seeds.first(2, of: 1...100))
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for number in 1...100 {
            let kinds = (0..<Int.random(in: 2...5, using: &random)).map { _ in Int.random(in: 0...10, using: &random) }
            var rows = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                kinds.map { kind in
                    Int.random(in: 0...9, using: &random) == 0 ? "" : Self.written(Self.cell(kind, &random))
                }
            }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let row = Int.random(in: rows.indices, using: &random)
                let column = Int.random(in: kinds.indices, using: &random)
                rows[row][column] = Self.written(Self.odd.randomElement(using: &random) ?? "")
            }
            let header = kinds.indices.map { "c\($0)" }.joined(separator: ",") + "\n"
            let text = header + rows.map { $0.joined(separator: ",") + "\n" }.joined()
            let data = try InferredData(["t": text])
            #expect(try data.roundTrip(text) == text, "seed \(seed), table \(number)")
        }
    }
}
