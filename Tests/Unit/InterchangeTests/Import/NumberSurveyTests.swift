import StrataInterchange
import StrataPersistence
import Testing

/// The survey of numbers, which infers their types from the data.
@Suite("Inference of number types from data")
struct NumberSurveyTests {
    private static let entity = EntityDescription(
        "T", [.attribute(AttributeDescription("price", .double, isOptional: true, externalName: "the price"))])

    private func finding(_ texts: [String], _ format: DatasetFormat = .csv) throws -> NumberSurvey.Finding {
        var survey = NumberSurvey(of: Self.entity, ["price"])
        let text =
            format == .csv
            ? "other,the price\n" + texts.map { "x,\($0)\n" }.joined()
            : texts.map { #"{"other": {"a": [1]}, "the price": \#($0.isEmpty ? "null" : $0)}"# + "\n" }.joined()
        try survey.read(ByteInput(bytes: Array(text.utf8), name: "data"), ReadingOptions(format: format))
        return survey.finding("price")
    }

    @Test(
        "the type of a number column is inferred as decimal, double or text",
        arguments: [
            (["1.5", "2.25", "-3", ""], NumberSurvey.Finding.decimals(scale: 2)),
            (["007", "1"], .texts), (["+1"], .texts), (["-0.00"], .texts), ([".5"], .texts),
            (["0.1", "1e+20"], .doubles),
            (["1.50", "1e+20"], .texts),
            (["999999999999999999"], .decimals(scale: 0)),
            (["123456789012345678901234567890", "0.1"], .texts),
            (["0.1234567890123456789"], .texts),
            (["", ""], .nothing),
            (["abc", "1.5"], .decimals(scale: 1)),
        ])
    func findings(texts: [String], expected: NumberSurvey.Finding) throws {
        #expect(try finding(texts) == expected)
    }

    @Test("the survey reads numbers in the format of the model or of the reading options, also in a renamed column")
    func spelled() throws {
        var attribute = AttributeDescription("price", .double, isOptional: true)
        attribute.spelling.decimal = ","
        for (attribute, reading) in [
            (attribute, ReadingOptions(format: .csv)),
            (
                AttributeDescription("price", .double, isOptional: true),
                {
                    var reading = ReadingOptions(format: .csv)
                    reading.mapping = ["wert": "PRICE"]
                    reading.spelling.decimal = try? NumberSign(",")
                    return reading
                }()
            ),
        ] {
            var survey = NumberSurvey(of: EntityDescription("T", [.attribute(attribute)]), ["price"])
            let header = reading.mapping.isEmpty ? "price" : "wert"
            let text = "\(header)\n\"1,50\"\n\"12,125\"\n"
            try survey.read(ByteInput(bytes: Array(text.utf8), name: "data"), reading)
            #expect(survey.finding("price") == .decimals(scale: 3))
        }
    }

    @Test("the type of numbers in NDJSON is inferred")
    func documents() throws {
        #expect(try finding(["1.5", "2.25", ""], .ndjson) == .decimals(scale: 2))
        #expect(try finding(["1.5", "1e300"], .ndjson) == .texts)
    }

    @Test("the survey reads every record of a long file")
    func long() throws {
        #expect(try finding(Array(repeating: "1.5", count: 5_000) + ["0.125"]) == .decimals(scale: 3))
    }
}
