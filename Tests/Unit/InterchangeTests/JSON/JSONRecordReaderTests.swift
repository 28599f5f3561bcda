import StrataInterchange
import StrataTestSupport
import Testing

/// Returns each record as `line/number: key=value`, and the error that ends the reading, if any.
func jsonRecords(_ bytes: [UInt8], root: String? = nil, blockSize: Int, recordLimit: Int = 10_000) -> [String] {
    var lines: [String] = []
    do throws(InterchangeError) {
        let input = ByteInput(bytes: bytes, name: "t.json", blockSize: blockSize)
        var reader = try JSONRecordReader(input, layout: JSONRecordLayout(root: root), recordLimit: recordLimit)
        while try reader.next() {
            let members = (0..<reader.memberCount).map { member in
                let text =
                    switch reader.kind(ofMember: member) {
                    case .null, .boolean, .number: reader.text(ofMember: member)
                    case .string: "'" + reader.text(ofMember: member) + "'"
                    case .array: "[]"
                    case .object: "{}"
                    }
                return "\(reader.key(ofMember: member))=\(text)@\(reader.line(ofMember: member))"
            }
            lines.append("\(reader.line)/\(reader.record): " + members.joined(separator: " "))
        }
    } catch {
        lines.append("\(error)")
    }
    return lines
}

@Suite("Reading JSON")
struct JSONRecordReaderTests {
    private static let deepest = String(repeating: "[", count: 510) + String(repeating: "]", count: 510)

    @Test(
        "JSON records are the same for any block size",
        arguments: [
            ("[]", nil, []), (" [ ] \n", nil, []), ("\u{FEFF}[]", nil, []),
            ("[{}]", nil, ["1/1: "]),
            ("[{\"a\":1},{\"a\":2}]", nil, ["1/1: a=1@1", "1/2: a=2@1"]),
            ("[\n{\"a\":1},\r\n{\"a\":2}\r,\r\r{\n\"a\":\n3}]", nil, ["2/1: a=1@2", "3/2: a=2@3", "6/3: a=3@7"]),
            (
                "[{\"n\":null,\"t\":true,\"f\":false,\"s\":\"x\",\"a\":[1,{\"b\":\"c\"}],\"o\":{\"p\":[]}}]", nil,
                ["1/1: n=null@1 t=true@1 f=false@1 s='x'@1 a=[]@1 o={}@1"]
            ),
            (
                "[{\"a\":-0,\"b\":1.50,\"c\":1E+400,\"d\":12345678901234567890.10e-3}]", nil,
                ["1/1: a=-0@1 b=1.50@1 c=1E+400@1 d=12345678901234567890.10e-3@1"]
            ),
            ("[{\"\":\"\"}]", nil, ["1/1: =''@1"]),
            (
                #"[{"k\u0065y":"\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00x\uDBFF\uDFFF"}]"#, nil,
                ["1/1: key='\"\\/\u{8}\u{C}\n\r\té€😀x\u{10FFFF}'@1"]
            ),
            ("[{\"é😀\":\"日本\u{2028}\u{7F}\"}]", nil, ["1/1: é😀='日本\u{2028}\u{7F}'@1"]),
            ("[{\"a\":\(deepest)}]", nil, ["1/1: a=[]@1"]),
            ("{\"x\":[1,{\"y\":\"[\"}],\"c\":[{\"a\":1}],\"z\":{\"w\":[{}]}} ", "c", ["1/1: a=1@1"]),
            ("{\n\"c\"\n:\n[\n{\"a\":1}]}", "c", ["5/1: a=1@5"]),
            ("{\"c\":[]}", "c", []), ("{\"é\":[{}]}", "é", ["1/1: "]),
        ] as [(String, String?, [String])])
    func records(text: String, root: String?, expected: [String]) {
        for blockSize in blockSizes {
            #expect(
                jsonRecords(Array(text.utf8), root: root, blockSize: blockSize) == expected, "blocks of \(blockSize)")
        }
    }

    @Test(
        "invalid JSON is reported with its location and the expected text",
        arguments: [
            ("", "t.json: the file is empty; it must contain a JSON array of objects"),
            (" \n", "t.json: the file is empty; it must contain a JSON array of objects"),
            ("7", "t.json: the document is a number; it must be an array of objects"),
            ("\"x\"", "t.json: the document is a string; it must be an array of objects"),
            (
                "{}",
                "t.json: the document is an object without an array; it must be an array of objects, or be read with --key-as and --value-as"
            ),
            (
                "{\"n\":1,\"colors\":[]}",
                "t.json: the document is an object, not an array; name the key of the array with --root: colors"
            ),
            ("x", "t.json:1: expected a value, found \"x\""),
            ("[1]", "t.json:1: record 1: the record is a number; every record must be an object"),
            ("[{},\n[]]", "t.json:2: record 2: the record is an array; every record must be an object"),
            ("[{}", "t.json:1: expected a comma or ], found the end of the file"),
            ("[{},]", "t.json:1: record 2: expected a value, found \"]\""),
            ("[,{}]", "t.json:1: record 1: expected a value, found \",\""),
            ("[{} {}]", "t.json:1: record 2: expected a comma or ], found \"{\""),
            ("[{}]\n\n[]", "t.json:3: expected nothing after the document, found \"[\""),
            ("[]\u{0}", "t.json:1: expected nothing after the document, found byte 0"),
            ("[{\"a\":1,}]", "t.json:1: record 1: expected a key in quotes, found \"}\""),
            ("[{a:1}]", "t.json:1: record 1: expected a key in quotes, found \"a\""),
            ("[{\"a\" 1}]", "t.json:1: record 1: expected a colon, found \"1\""),
            ("[{\n\"a\":1\n\"b\":2}]", "t.json:3: record 1: expected a comma or }, found \"\"\""),
            ("[{\"a\":01}]", "t.json:1: record 1: expected a comma or }, found \"1\""),
            ("[{\"a\":1.}]", "t.json:1: record 1: expected a digit, found \"}\""),
            ("[{\"a\":-}]", "t.json:1: record 1: expected a digit, found \"}\""),
            ("[{\"a\":1e+}]", "t.json:1: record 1: expected a digit, found \"}\""),
            ("[{\"a\":.5}]", "t.json:1: record 1: expected a value, found \".\""),
            ("[{\"a\":+5}]", "t.json:1: record 1: expected a value, found \"+\""),
            ("[{\"a\":NaN}]", "t.json:1: record 1: expected a value, found \"N\""),
            ("[{\"a\":nul}]", "t.json:1: record 1: expected null, found \"}\""),
            ("[{\"a\":truE}]", "t.json:1: record 1: expected true, found \"E\""),
            ("[{\"a\":/**/1}]", "t.json:1: record 1: expected a value, found \"/\""),
            ("[{\"a\":é}]", "t.json:1: record 1: expected a value, found byte 195"),
            ("[{\"a\":[1,]}]", "t.json:1: record 1: expected a value, found \"]\""),
            ("[{\"a\":[1}]", "t.json:1: record 1: expected a comma or ], found \"}\""),
            ("[{\"a\":{\"b\":1]", "t.json:1: record 1: expected a comma or }, found \"]\""),
            ("[{\"a\":{1:2}}]", "t.json:1: record 1: expected a key in quotes, found \"1\""),
            ("[{\"a\":\"x", "t.json:1: record 1: expected the quote that closes a string, found the end of the file"),
            (
                "[{\"a\":\"x\",\":1}]",
                "t.json:1: record 1: expected the quote that closes a string, found the end of the file"
            ),
            ("[{\"a\":\"\n\"}]", "t.json:1: record 1: control character 10 in a string; write it with an escape"),
            ("[{\"a\":\"\u{0}\"}]", "t.json:1: record 1: control character 0 in a string; write it with an escape"),
            (#"[{"a":"\x"}]"#, #"t.json:1: record 1: expected one of "\/bfnrtu after a backslash, found "x""#),
            (#"[{"a":"\u00g0"}]"#, #"t.json:1: record 1: expected four hexadecimal digits, found "g""#),
            (#"[{"a":"\u0000"}]"#, #"t.json:1: record 1: \u0000, which a text cannot contain"#),
            (#"[{"a":"\ud800"}]"#, "t.json:1: record 1: half of a surrogate pair in a string; write both halves"),
            (#"[{"a":"\ud800x"}]"#, "t.json:1: record 1: half of a surrogate pair in a string; write both halves"),
            (#"[{"a":"\ud800\n"}]"#, "t.json:1: record 1: half of a surrogate pair in a string; write both halves"),
            (#"[{"a":"\ud800\ud800"}]"#, "t.json:1: record 1: half of a surrogate pair in a string; write both halves"),
            (#"[{"a":"\udc00"}]"#, "t.json:1: record 1: half of a surrogate pair in a string; write both halves"),
            ("[{\"a\":1},\n{\"a\":1,\n\"b\":2,\"\\u0061\":3}]", "t.json:2: record 2: the key \"a\" occurs twice"),
            ("[{\"a\":[\(deepest)]}]", "t.json:1: record 1: more than 512 nested arrays and objects"),
        ])
    func errors(text: String, expected: String) {
        for blockSize in blockSizes {
            #expect(jsonRecords(Array(text.utf8), blockSize: blockSize).last == expected, "blocks of \(blockSize)")
        }
    }

    @Test(
        "the JSON text around the array of a root key is validated",
        arguments: [
            ("[]", "t.json: the document is an array and has no key \"c\"; read it without --root"),
            ("{}", "t.json: the document has no key \"c\"; it has no keys"),
            ("{\"a\":1,\"b\":[]}", "t.json: the document has no key \"c\"; its keys are a, b"),
            ("{\"c\":{}}", "t.json: \"c\" is an object; it must be an array of objects"),
            ("{\"c\":{\"d\":\(deepest)}}", "t.json: \"c\" is an object; it must be an array of objects"),
            ("{\"c\":{\"d\":[\(deepest)]}}", "t.json:1: more than 512 nested arrays and objects"),
            ("{\"a\":[[\(deepest)]],\"c\":[]}", "t.json:1: more than 512 nested arrays and objects"),
            ("{\"a\":1,\"a\":2}", "t.json:1: the key \"a\" occurs twice"),
            ("{\"c\":[],\n\"c\":[]}", "t.json:2: the key \"c\" occurs twice"),
            ("{\"c\":[]", "t.json:1: expected a comma or }, found the end of the file"),
            ("{\"c\":[],}", "t.json:1: expected a key in quotes, found \"}\""),
            ("{\"c\":[],\"d\":[1,2}", "t.json:1: expected a comma or ], found \"}\""),
            ("{\"c\":[],\"d\":01}", "t.json:1: expected a comma or }, found \"1\""),
            ("{\"c\":[]}x", "t.json:1: expected nothing after the document, found \"x\""),
            ("{\"c\" []}", "t.json:1: expected a colon, found \"[\""),
        ])
    func rootErrors(text: String, expected: String) {
        for blockSize in blockSizes {
            #expect(
                jsonRecords(Array(text.utf8), root: "c", blockSize: blockSize).last == expected,
                "blocks of \(blockSize)")
        }
    }

    @Test(
        "invalid UTF-8 is rejected in keys, values and skipped text",
        arguments: ["[{\"#\":1}]", "[{\"a\":\"#\"}]", "[{\"a\":[\"#\"]}]"])
    func invalidUTF8(template: String) {
        let parts = template.split(separator: "#").map { Array($0.utf8) }
        for wrong in [[0xFF], [0xC3], [0x80], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]] {
            for blockSize in blockSizes {
                #expect(
                    jsonRecords(parts[0] + wrong + parts[1], blockSize: blockSize).last
                        == "t.json:1: record 1: invalid UTF-8 in a string; save the file as UTF-8, or name its encoding"
                )
            }
        }
    }

    @Test(
        "the length limit of a JSON record is exact to the byte, with any spelling and block size",
        arguments: blockSizes)
    func recordLimit(blockSize: Int) {
        for text in [
            "{\"a\":123456789}", "{ \"a\" :   \"\\u0031\\n\\\"456789\" }", "{\"a\":\"1234\",\"long key\":12345}",
            "{\"a\":[1, 2, 3, 4]}", "{\"a\":[\"\\n\\n\\n\\n\\n\\n\\n\"]}",
        ] {
            let records = jsonRecords(Array("[\(text)]".utf8), blockSize: blockSize, recordLimit: 9)
            #expect(records.first?.hasPrefix("1/1: ") == true && records.count == 1, "\(text): \(records)")
        }
        for text in [
            "{\"a\":1234567890}", "{\"a\":\"12345678901234\"}", "{\"a\":\"123\",\"b\":\"\\n\\n\\n\\n5678",
            "{\"a\":[[[[[[[[[[x",
            "{\"1234567890\":1}", "{\"a\":[11, 22, 33, 44, 55]}", "{\"a\":\"1234567890\u{1}",
        ] {
            #expect(
                jsonRecords(Array("[\(text)]".utf8), blockSize: blockSize, recordLimit: 9).last
                    == "t.json:1: record 1: the record is longer than 9 bytes; longer ones can be allowed (--max-record)",
                "\(text)")
        }
        let around = Array("{\"x\":\"1234567890123\",\"c\":[]}".utf8)
        #expect(
            jsonRecords(around, root: "c", blockSize: blockSize, recordLimit: 9).last
                == "t.json: a value is longer than 9 bytes; longer ones can be allowed (--max-record)")
    }

    @Test("skipped text around the array of records may be longer than the length limit of a record")
    func skippingIsBounded() {
        let numbers = (0..<5_000).map(String.init).joined(separator: ", ")
        let text = "{\"x\":[\(numbers)],\"c\":[{\"a\":1}],\"y\":[\(numbers)]}"
        #expect(jsonRecords(Array(text.utf8), root: "c", blockSize: 64, recordLimit: 100) == ["1/1: a=1@1"])
    }

    @Test("a repeated key is found in a record with up to 20,000 keys", arguments: [23, 24, 25, 20_000])
    func manyKeys(count: Int) {
        let keys = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
        let unique = jsonRecords(Array("[{\(keys)}]".utf8), blockSize: 65_536, recordLimit: 1_000_000)
        #expect(unique.last?.hasPrefix("1/1: k0=0@1 k1=0@1") == true)
        let repeated = jsonRecords(Array("[{\(keys),\"k7\":1}]".utf8), blockSize: 65_536, recordLimit: 1_000_000)
        #expect(repeated == ["t.json:1: record 1: the key \"k7\" occurs twice"])
    }

    @Test("JSON with 100,000 levels of nesting is an error and does not crash the reader", arguments: ["[", "{\"a\":"])
    func depth(opening: String) {
        let text = "[{\"a\":" + String(repeating: opening, count: 100_000)
        let records = jsonRecords(Array(text.utf8), blockSize: 65_536, recordLimit: 10_000_000)
        #expect(records == ["t.json:1: record 1: more than 512 nested arrays and objects"])
    }

    @Test("JSON with random changes does not crash the reader, and every block size returns the same records")
    func hostileBytes() {
        var generator = SeededGenerator(seed: 17)
        let base = Array(#"{"c": [{"a":"\u00e9\ud83d\ude00","b":[-1.5e3,null]},{"a":true}], "d":{"e":"é"}}"#.utf8)
        let alphabet = Array("{}[]\",:\\u0d8cn1-.e \n\r".utf8) + [0xFF, 0, 0xC3]
        for _ in 0..<Seeds.count(600, all: 2_000) {
            var bytes = base
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[position] = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            let results = blockSizes.map { jsonRecords(bytes, root: "c", blockSize: $0, recordLimit: 50) }
            #expect(Set(results).count == 1, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
