import StrataInterchange
import Testing

/// Returns each record as `line/number: members`, and the error that ends the reading, if any.
private func records(_ text: String, _ layout: JSONRecordLayout, blockSize: Int) -> [String] {
    var lines: [String] = []
    do throws(InterchangeError) {
        let input = ByteInput(bytes: Array(text.utf8), name: "t", blockSize: blockSize)
        var reader = try JSONRecordReader(input, layout: layout)
        while try reader.next() {
            let members = (0..<reader.memberCount).map { "\(reader.key(ofMember: $0))=\(reader.text(ofMember: $0))" }
            lines.append("\(reader.line)/\(reader.record): " + members.joined(separator: " "))
        }
    } catch {
        lines.append("\(error)")
    }
    return lines
}

@Suite("Locations of records in JSON")
struct JSONLayoutTests {
    private static func members(_ root: String? = nil) -> JSONRecordLayout {
        var layout = JSONRecordLayout(.members, root: root)
        (layout.keyName, layout.valueName) = ("hex", "name")
        return layout
    }

    private static func paths(_ paths: Set<String>) -> JSONRecordLayout {
        var layout = JSONRecordLayout()
        layout.paths = paths
        return layout
    }

    static let cases: [(String, JSONRecordLayout, [String])] = [
        ("{\"a\":1}\n{\"a\":\"x\\ny\"}\n", JSONRecordLayout(.lines), ["1/1: a=1", "2/2: a=x\ny"]),
        ("\u{FEFF}\n\n{\"a\":1}\r\n\r\n{\"a\":\n2}", JSONRecordLayout(.lines), ["3/1: a=1", "5/2: a=2"]),
        ("{\"a\":1} {\"a\":2}", JSONRecordLayout(.lines), ["1/1: a=1", "1/2: a=2"]),
        ("", JSONRecordLayout(.lines), []),
        (
            "[{\"a\":1}]", JSONRecordLayout(.lines),
            ["t:1: record 1: the record is an array; every record must be an object"]
        ),
        (
            "{\"a\":1}\n{\"a\":1,}", JSONRecordLayout(.lines),
            ["1/1: a=1", "t:2: record 2: expected a key in quotes, found \"}\""]
        ),
        (
            "{\"a\":1},{\"a\":1}", JSONRecordLayout(.lines),
            ["1/1: a=1", "t:1: record 2: expected a value, found \",\""]
        ),
        (
            "{\"x\":[1],\"d\":{\"y\":{},\"c\":[{\"a\":1}],\"z\":2},\"e\":[]}", JSONRecordLayout(root: "d.c"),
            ["1/1: a=1"]
        ),
        ("{\"d\":{\"e\":1}}", JSONRecordLayout(root: "d.c"), ["t: \"d\" has no key \"c\"; its keys are e"]),
        ("{\"d\":[]}", JSONRecordLayout(root: "d.c"), ["t: \"d\" is an array; it must be an object"]),
        (
            "{\"d\":{\"c\":[{\"a\":1}],\"c\":2}}", JSONRecordLayout(root: "d.c"),
            ["1/1: a=1", "t:1: the key \"c\" occurs twice"]
        ),
        (
            "{\"d\":{\"c\":[{\"a\":1}]}", JSONRecordLayout(root: "d.c"),
            ["1/1: a=1", "t:1: expected a comma or }, found the end of the file"]
        ),
        ("{\"#f00\":\"red\",\n\"#0\\u0066\":null}", members(), ["1/1: hex=#f00 name=red", "2/2: hex=#0f name=null"]),
        ("{\"#f00\":{\"name\":\"red\",\"n\":1}}", members(), ["1/1: hex=#f00 name=red n=1"]),
        ("{\"c\":{\"#f00\":\"red\"},\"d\":1}", members("c"), ["1/1: hex=#f00 name=red"]),
        ("{}", members(), []),
        ("[1]", members(), ["t: the document is an array; it must be an object whose members are the records"]),
        ("{\"#f00\":{\"hex\":\"x\"}}", members(), ["t:1: record 1: the key \"hex\" occurs twice"]),
        ("{\"a\":1,}", members(), ["1/1: hex=a name=1", "t:1: record 2: expected a key in quotes, found \"}\""]),
        (
            "[{\"n\":{\"c\":\"x\",\"z\":{\"q\":1}},\"m\":{\"c\":2}}]", paths(["n.c"]),
            ["1/1: n.c=x n.z={\"q\":1} m={\"c\":2}"]
        ),
        ("[{\"n\":{\"c\":{\"d\":5}}}]", paths(["n.c.d"]), ["1/1: n.c.d=5"]),
        ("[{\"n\":null},{\"n\":3}]", paths(["n.c"]), ["1/1: n=null", "1/2: n=3"]),
        ("[{\"n\":{\"c\":1,\"c\":2}}]", paths(["n.c"]), ["t:1: record 1: the key \"n.c\" occurs twice"]),
    ]

    @Test("records are found at the given location in a JSON document for any block size", arguments: cases)
    func layouts(_ text: String, _ layout: JSONRecordLayout, _ expected: [String]) {
        for blockSize in blockSizes { #expect(records(text, layout, blockSize: blockSize) == expected, "\(blockSize)") }
    }

    @Test("the reader continues after a bad record and returns the skipped bytes, but not after the document's end")
    func recovery() throws {
        let text = "{\"a\":1}\n{\"a\":x} {\"b\":1}\r\n{\"a\":2}\n{\"a\"\n{\"a\":3}"
        for blockSize in blockSizes {
            var reader = try JSONRecordReader(
                ByteInput(bytes: Array(text.utf8), name: "t", blockSize: blockSize), layout: JSONRecordLayout(.lines))
            var found: [String] = []
            while true {
                do throws(InterchangeError) {
                    guard try reader.next() else { break }
                    found.append("\(reader.line)/\(reader.record) \(reader.text(ofMember: 0))")
                } catch {
                    let continues = try reader.recover()
                    let original = reader.withOriginal {
                        $0.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
                    }
                    found.append("\(error.line ?? 0)/\(reader.record) bad: \(original)")
                    guard continues else { break }
                }
            }
            #expect(found == ["1/1 1", "2/2 bad: {\"a\":x} {\"b\":1}", "3/3 2", "5/4 bad: {\"a\"\n{\"a\":3}"])
            var array = try JSONRecordReader(
                ByteInput(bytes: Array("[{\"a\":x}]".utf8), name: "t", blockSize: blockSize))
            #expect(throws: InterchangeError.self) { _ = try array.next() }
            let continues = try array.recover()
            #expect(continues)
            var document = try JSONRecordReader(
                ByteInput(bytes: Array("[{\"a\":1}]x".utf8), name: "t", blockSize: blockSize))
            #expect(try document.next())
            #expect(throws: InterchangeError.self) { _ = try document.next() }
            let isLost = try !document.recover()
            #expect(isLost)
        }
    }
}
