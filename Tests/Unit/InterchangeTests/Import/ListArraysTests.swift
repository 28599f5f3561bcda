import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Testing

/// Related rows as an array of a JSON document.
@Suite("Lists as JSON arrays")
struct ListArraysTests {
    private func articles(_ text: String, _ format: DatasetFormat) -> Datasets { [("Article", format, text)] }

    @Test("a list in CSV is exported as an array in every form of JSON and is converted back unchanged")
    func roundTrip() throws {
        let csv = "title,tag list\nOne,blue; red\nTwo,red\nThree,\n"
        let forms: [(DatasetFormat, Bool, String)] = [
            (
                .ndjson, false,
                """
                {"title":"One","tag list":["blue","red"]}
                {"title":"Two","tag list":["red"]}
                {"title":"Three","tag list":[]}

                """
            ),
            (
                .json, false,
                """
                [
                {"title":"One","tag list":["blue","red"]},
                {"title":"Two","tag list":["red"]},
                {"title":"Three","tag list":[]}
                ]

                """
            ),
            (
                .json, true,
                """
                [
                  {
                    "title": "One",
                    "tag list": ["blue","red"]
                  },
                  {
                    "title": "Two",
                    "tag list": ["red"]
                  },
                  {
                    "title": "Three",
                    "tag list": []
                  }
                ]

                """
            ),
        ]
        let model = try LinkedFilesTests.model(.list)
        let tags: Datasets = [("Tag", .csv, "word\nred\nblue\n")]
        for (format, isPretty, expected) in forms {
            for ((first, _), (second, _)) in zip(
                try containers(model), try containers(model))
            {
                _ = try first.run(tags + articles(csv, .csv))
                var options = ExportOptions(format: format)
                options.isPretty = isPretty
                let output = ByteOutput.memory()
                try DatasetExporter(store: first.coordinator.store, options: options).run(
                    StoreRequest("Article"), to: output)
                let text = String(decoding: output.bytes, as: UTF8.self)
                #expect(text == expected)
                _ = try second.run(tags + articles(text, format))
                #expect(try second.exported("Article", .csv) == csv)
            }
        }
    }

    @Test("elements of a JSON array may be empty or contain quotes or the list separator of CSV")
    func separators() throws {
        let lines = """
            {"title":"One","tag list":["a; b","red","say \\"hi\\""]}
            {"title":"Two","tag list":[""]}

            """
        for (container, _) in try containers(try LinkedFilesTests.model(.list)) {
            _ = try container.run([
                ("Tag", .ndjson, #"{"word":"a; b"}{"word":"say \"hi\""}{"word":"red"}{"word":""}"#),
                ("Article", .ndjson, lines),
            ])
            #expect(try container.exported("Article", .ndjson) == lines)
            #expect(throws: InterchangeError.self) { try container.exported("Article", .csv) }
        }
    }

    @Test("whole numbers in arrays are exported as numbers, and imported from numbers or texts")
    func numbers() throws {
        for (container, _) in try containers(try LinkModels.numbers()) {
            _ = try container.run([
                ("Tag", .csv, "number\n-7\n3\n12\n"),
                (
                    "Article", .ndjson,
                    """
                    {"title":"One","tags":[12, -7.0, 3e0]}
                    {"title":"Two","tags":["3","12"]}
                    {"title":"Three","tags":"3,-7"}
                    {"title":"Four","tags":null}
                    {"title":"Five","tags":[ ]}

                    """
                ),
            ])
            #expect(
                try container.exported("Article", .ndjson) == """
                    {"title":"One","tags":[12,-7,3]}
                    {"title":"Two","tags":[3,12]}
                    {"title":"Three","tags":[3,-7]}
                    {"title":"Four","tags":[]}
                    {"title":"Five","tags":[]}

                    """)
            _ = try container.run(articles(#"[{"title":"One","tags":[]},{"title":"Two"}]"#, .json)) {
                $0.onConflict = .update
            }
            #expect(
                try container.exported("Article", .csv)
                    == "title,tags\nOne,\nTwo,\"3,12\"\nThree,\"3,-7\"\nFour,\nFive,\n")
        }
    }

    @Test("an invalid element of an array is reported with its position")
    func errors() throws {
        let cases: [(String, String)] = [
            ("[12, true]", "element 2: true found, but a whole number is expected"),
            ("[null]", "element 1: null found, but a whole number is expected"),
            ("[12, 3, [4]]", "element 3: an array found, but a whole number is expected"),
            (#"[{"a":1,"a":2}]"#, "its elements contain an array or an object, but a whole number is expected"),
            ("[12, 1.5]", "element 2, \"1.5\": not a whole number"),
            (#"["12", "x"]"#, "element 2, \"x\": not a whole number"),
            ("[12, 3, 12]", "element 3, \"12\": occurs twice"),
            ("[1,2,3,4,5,6,7,8,9,10,1]", "element 11, \"1\": occurs twice"),
            ("[1,2,3,4,5,6,7,8,9,10,9]", "element 11, \"9\": occurs twice"),
            ("[1,2,3,4,5,6,7,8,1]", "element 9, \"1\": occurs twice"),
            ("5", "\"5\": a number found, but an array, or a string of its elements, is expected"),
            ("true", "true found, but an array, or a string of its elements, is expected"),
            (#""12,,3""#, "there is no element between two \",\""),
        ]
        for (container, _) in try containers(try LinkModels.numbers()) {
            _ = try container.run([("Tag", .csv, "number\n3\n12\n")])
            for (list, message) in cases {
                let error = try #require(throws: InterchangeError.self) {
                    try container.run(articles("{\"title\":\"One\"}\n{\"title\":\"Two\",\"tags\":\(list)}\n", .ndjson))
                }
                #expect(error.description == "Article.ndjson:2: record 2, column tags: \(message)")
            }
            let missing = try #require(throws: InterchangeError.self) {
                try container.run(articles(#"{"title":"Two","tags":[12, 99]}"#, .ndjson))
            }
            #expect(
                missing.description
                    == "Article.ndjson:1: record 1, column tags: there is no Tag with number \"99\", neither in the store nor in this import"
            )
        }
        for (container, _) in try containers(try LinkedFilesTests.model(.list)) {
            let text = #"{"title":"Two","tag list":[1]}"#
            let error = try #require(throws: InterchangeError.self) { try container.run(articles(text, .ndjson)) }
            #expect(error.message == "element 1: a number found, but a string is expected")
            _ = try container.run([("Tag", .csv, "word\n1\n"), ("Article", .ndjson, text)]) {
                $0.reading.readsNumbersAsTexts = true
            }
            #expect(try container.exported("Article", .csv) == "title,tag list\nTwo,1\n")
        }
    }

    @Test("the original text of a rejected record includes its arrays")
    func rejected() throws {
        for (container, _) in try containers(try LinkModels.numbers()) {
            let problems = ProblemRecorder()
            _ = try container.run([
                ("Tag", .csv, "number\n3\n"),
                ("Article", .ndjson, "{\"title\":\"A\",\"tags\":[3,\n 99]}\n{\"title\":\"B\",\"tags\":[3]}\n"),
            ]) {
                problems.attach(&$0)
                $0.onError = .reject
            }
            #expect(problems.originals == ["{\"title\":\"A\",\"tags\":[3,\n 99]}\n"])
            #expect(try container.exported("Article", .csv) == "title,tags\nB,3\n")
        }
    }
}
