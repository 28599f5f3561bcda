import StrataTestSupport
import Testing

@testable import StrataReports

@Suite("Color palettes of reports")
struct PaletteTests {
    @Test("colors are sorted by hue, light to dark in each family, with grays last")
    func order() throws {
        let shuffled = [
            "#000000", "#0000FF", "#FF0000", "#FFFFFF", "#00FF00", "#808080", "#FF8080", "#800000", "#FFFF00",
            "#FF00FF",
        ]
        let colors = try shuffled.map { try #require(RGBColor($0)) }.sorted(by: ColorFamily.precedes)
        #expect(
            colors.map(\.hex) == [
                "#FF8080", "#FF0000", "#800000", "#FFFF00", "#00FF00", "#0000FF", "#FF00FF", "#FFFFFF", "#808080",
                "#000000",
            ])
    }

    private static let families: [(String, ColorFamily)] = [
        ("#FF0000", .reds), ("#FF0010", .reds), ("#FF8000", .oranges), ("#FFFF00", .yellows), ("#80FF00", .limes),
        ("#00FF00", .greens), ("#00FF80", .teals), ("#00FFFF", .cyans), ("#0080FF", .azures), ("#0000FF", .blues),
        ("#8000FF", .violets), ("#FF00FF", .magentas), ("#FF0080", .pinks), ("#7F7F80", .greys), ("#ffffff", .greys),
    ]

    @Test("a color belongs to the family of its hue", arguments: families)
    func family(hex: String, family: ColorFamily) throws {
        #expect(try #require(RGBColor(hex)).family == family)
    }

    @Test(
        "only a text of # and six hexadecimal digits is a color",
        arguments: ["", "#12345", "#1234567", "123456", "#12345G", "#１23456"])
    func noColor(text: String) {
        #expect(RGBColor(text) == nil)
    }

    @Test("a color set counts each color once, and its sample is deterministic and has the requested size")
    func sample() {
        var set = ColorSet()
        var generator = SeededGenerator(seed: 5)
        var codes: Set<UInt32> = []
        for _ in 0..<20_000 {
            let code = UInt32.random(in: 0..<(1 << 24), using: &generator)
            codes.insert(code)
            set.insert(RGBColor(code: code))
            set.insert(RGBColor(code: code))
        }
        #expect(set.count == codes.count)
        let sample = set.sample(100)
        #expect(Set(sample).count == 100 && sample == set.sample(100))
        #expect(sample.allSatisfy { codes.contains($0.code) })
        #expect(set.sample(1 << 24).count == codes.count)
    }
}
