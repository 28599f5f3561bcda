import Foundation
import StrataCore
import StrataInMemory
import StrataTesting
import Testing

@testable import StrataAtomicStores

/// Edits of XML files by people and programs: harmless ones are read, and all others are rejected with line and column.
@Suite("Edited XML stores")
struct StrictXMLTests {
    private static func text() throws -> String { String(decoding: try Sample.smallFile(.xml), as: UTF8.self) }

    /// A change of the file and the expected message, in which `LINE` represents the line of the changed text.
    struct Edit: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        var code: PersistenceError.Code = .corrupt
        let message: String

        var testDescription: String { "\(old) → \(new)" }
    }

    private static let beforeStore: [Edit] = [
        Edit(
            old: "<strata-store", new: "<!DOCTYPE x [<!ENTITY e \"e\">]>\n<strata-store", code: .notADatabase,
            message: "line 2, column 1: this is not an XML store: a store must not have a document type (DOCTYPE)"),
        Edit(
            old: "encoding=\"UTF-8\"", new: "encoding=\"ISO-8859-1\"", code: .notADatabase,
            message: "line 1, column 21: this is not an XML store: the encoding is “ISO-8859-1”; a store must be in "
                + "UTF-8"),
        Edit(
            old: "version=\"1.0\"", new: "version=\"1.1\"", code: .notADatabase,
            message: "line 1, column 1: this is not an XML store: the XML declaration must contain version=\"1.0\""),
        Edit(
            old: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<strata-store", new: "<svg", code: .foreignStore,
            message: "line 1, column 1: this is another kind of XML document, <svg>, not a store"),
        Edit(
            old: "format=\"2\"", new: "format=\"3\"", code: .newerFormat,
            message:
                "line 2, column 15: the store has format 3, but this version of Strata supports formats up to 2; use a "
                + "newer version"),
        Edit(old: "format=\"2\"", new: "format=\"one\"", message: "line 2, column 15: format: not a whole number"),
        Edit(old: "format=\"2\" ", new: "", message: "line 2, column 1: <strata-store> has no attribute “format”"),
        Edit(
            old: "format=\"2\"", new: "format='1' formt='1'",
            message: "line 2, column 26: <strata-store> has no attribute “formt”; did you mean format?"),
        Edit(
            old: "identifier=\"01020304", new: "identifier=\"0102",
            message: "line 2, column 26: the identifier is not a UUID"),
        Edit(
            old: "<entry key=\"customer\">", new: "<entry key=\"a&#9;b\">",
            message: "line 6, column 12: the key occurs twice"),
        Edit(
            old: "key-form=\"base64\"", new: "key-form=\"hex\"",
            message: "line 4, column 23: the form “hex” of a text is unknown"),
    ]

    private static let rows: [Edit] = [
        Edit(
            old: "<count>-7</count>", new: "<cuont>-7</cuont>",
            message: "line LINE, column 7: the model has no such attribute; did you mean count?"),
        Edit(
            old: "<count>-7</count>", new: "<count>minus 7</count>", message: "line LINE, column 7: not a whole number"),
        Edit(
            old: "<count>-7</count>", new: "<count>-70000</count>",
            message: "line LINE, column 7: is not in -32768...32767"),
        Edit(
            old: "<count>-7</count>", new: "<count>-7</count><count>-7</count>",
            message: "line LINE, column 24: <count> occurs twice"),
        Edit(
            old: "<count>-7</count>", new: "<count form=\"hex\">-7</count>",
            message: "line LINE, column 7: the form “hex” of type integer16 is unknown"),
        Edit(
            old: "<next>4</next>", new: "<next>44</next>",
            message: "line ROW, column 5: refers to Note 44, which does not exist"),
        Edit(
            old: "<code form=\"base64\">AQ==</code>", new: "<code>x\"y</code>",
            message: "line ROW, column 5: Note 1 has this value too, but the attribute is unique"),
        Edit(
            old: "<row id=\"4\" version=\"1\">", new: "<row id=\"1\" version=\"1\">",
            message: "line LINE, column 5: the identifier occurs twice"),
        Edit(
            old: "<row id=\"4\" version=\"1\">", new: "<row id=\"0\" version=\"1\">",
            message: "line LINE, column 5: is not an identifier (1 to 9007199254740991)"),
        Edit(
            old: "<row id=\"4\" version=\"1\">", new: "<row version=\"1\">",
            message: "line LINE, column 5: <row> has no attribute “id”"),
        Edit(
            old: "<row id=\"4\" version=\"1\">", new: "<row id=\"4\" id=\"4\">",
            message: "line LINE, column 17: the attribute “id” occurs twice"),
        Edit(
            old: "<row id=\"4\" version=\"1\">", new: "<rows id=\"4\">",
            message: "line LINE, column 5: in <entity> only <row> is allowed"),
        Edit(
            old: "      <text></text>\n", new: "",
            message: "line ROW, column 5: is mandatory, null is not allowed"),
        Edit(
            old: "<entity name=\"Note\" next=\"12\">", new: "<entity name=\"Not\" next=\"12\">",
            message: "line LINE, column 11: the model has no entity “Not”; did you mean Note?"),
        Edit(
            old: "<pairs name=\"Note_tags\">", new: "<entity name=\"Note\"/><pairs name=\"Note_tags\">",
            message: "line LINE, column 3: the entity “Note” occurs twice"),
        Edit(
            old:
                "  <pairs name=\"Note_tags\">\n    <pair source=\"1\" target=\"5\" source-position=\"2\"/>\n  </pairs>\n",
            new: "",
            message: "line LINE, column 1: the join rows of Note_tags are missing: <pairs name=\"Note_tags\">"),
        Edit(
            old: "target=\"5\"", new: "target=\"6\"",
            message: "line LINE, column 5: refers to Note 6, which does not exist"),
        Edit(
            old: "source-position=\"2\"", new: "target-position=\"2\"",
            message:
                "line LINE, column 33: <pair> has no attribute “target-position”; did you mean source-position?"),
        Edit(
            old: "<pair source=\"1\" target=\"5\" source-position=\"2\"/>",
            new: "<pair source=\"1\" target=\"5\"/><pair source=\"1\" target=\"5\"/>",
            message: "line LINE, column 34: the join row with 5 occurs twice"),
        Edit(
            old: "</strata-store>\n", new: "</strata-store><x/>",
            message: "line LINE, column 16: the store ends here, but more text follows"),
        Edit(
            old: "</strata-store>\n", new: "",
            message: "line LINE, column 1: the file ends here, before the end of the store"),
    ]

    private static let syntax: [Edit] = [
        Edit(
            old: "a &lt; b", new: "a &eacute; b",
            message:
                "line LINE, column 15: only &lt; &gt; &amp; &quot; &apos; and references by numbers are allowed here; "
                + "“&” alone must be written as “&amp;”"
        ),
        Edit(
            old: "a &lt; b", new: "a &#0; b",
            message: "line LINE, column 15: the reference represents a character that XML does not allow"),
        Edit(
            old: "a &lt; b", new: "a &#xD800; b",
            message: "line LINE, column 15: the reference represents a character that XML does not allow"),
        Edit(
            old: "a &lt; b", new: "a <b/> b",
            message: "line LINE, column 15: <b> is not allowed in <text>, which contains a text"),
        Edit(
            old: "a &lt; b", new: "a <!-- x --> b", message: "line LINE, column 15: a comment is not allowed in a value"
        ),
        Edit(
            old: "a &lt; b", new: "a ]]> b",
            message: "line LINE, column 15: “]]>” in a text must be written as "
                + "“]]&gt;”"),
        Edit(
            old: "a &lt; b", new: "a \u{1} b",
            message: "line LINE, column 15: invalid UTF-8, or a character that XML does not allow"),
        Edit(
            old: "a &lt; b &amp; c</text>", new: "a</txt>",
            message: "line LINE, column 14: </txt> found where <text> ends"),
        Edit(
            old: "<row id=\"1\" version=\"3\">", new: "<?php ?><row id=\"1\">",
            message: "line LINE, column 5: a store must not have processing instructions"),
        Edit(
            old: "<row id=\"1\" version=\"3\">", new: "text <row id=\"1\">",
            message: "line LINE, column 5: a tag is expected, but a text was found"),
        Edit(
            old: "<row id=\"1\" version=\"3\">", new: "<row id=1>",
            message: "line LINE, column 13: a quote is expected here"),
        Edit(
            old: "<row id=\"1\" version=\"3\">", new: "<row id=\"1\"version=\"3\">",
            message: "line LINE, column 16: a space is expected here"),
        Edit(
            old: "<row id=\"1\" version=\"3\">", new: "<!-- a -- b --><row id=\"1\">",
            message: "line LINE, column 12: a comment must not contain “--” except at its end"),
        Edit(
            old: "<row id=\"1\" version=\"3\">", new: "<<<<<<< HEAD\n<row id=\"1\">",
            message: "line LINE, column 6: a name is expected here"),
    ]

    @Test(
        "an invalid edit of an XML store is rejected with its location, and the file is unchanged",
        arguments: beforeStore + rows + syntax)
    func refused(_ edit: Edit) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.stxml")
        let text = try Self.text()
        let place = try #require(text.firstRange(of: edit.old))
        let changed = text.replacingCharacters(in: place, with: edit.new)
        try Data(changed.utf8).write(to: url)
        let line = text[..<place.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).count
        let rowStart = text[..<place.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
            .lastIndex { $0.hasPrefix("    <row") }
        let message = edit.message.replacing("LINE", with: "\(line)").replacing("ROW", with: "\((rowStart ?? 0) + 1)")
        for isReadOnly in [false, true] {
            let error = failure { _ = try FileKind.xml.open(url, try Sample.small(), isReadOnly: isReadOnly) }
            #expect(error?.code == edit.code)
            #expect(error?.message == message)
            #expect(error?.path == url.path)
            #expect(try Data(contentsOf: url) == Data(changed.utf8))
        }
    }

    @Test("an invalid value in an XML store is reported with entity, identifier and attribute")
    func named() throws {
        let text = try Self.text().replacing("<count>-7</count>", with: "<count>x</count>")
        let error = try #require(failure { _ = try FileKind.xml.decoded(Array(text.utf8), try Sample.small()) })
        #expect(error.entity == "Note" && error.id == 1 && error.attribute == "count")
        #expect(error.description.hasPrefix("file: Note.count: line "))
    }

    @Test("an XML store with invalid UTF-8 or in UTF-16 is rejected")
    func encodings() throws {
        let model = try Sample.small()
        var bytes = try Sample.smallFile(.xml)
        let utf16: [UInt8] = [0xFF, 0xFE] + bytes.map { [$0, 0 as UInt8] }.joined()
        #expect(failure { _ = try FileKind.xml.decoded(utf16, model) }?.code == .notADatabase)
        for sequence: [UInt8] in [
            [0xFF], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBE],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] {
            let place = try #require(bytes.lastIndex(of: UInt8(ascii: "\n")))
            var broken = bytes
            broken.insert(contentsOf: sequence, at: place)
            let error = failure { _ = try FileKind.xml.decoded(broken, model) }
            #expect(error?.code == .corrupt)
            #expect(error?.message.hasPrefix("line ") == true)
        }
        bytes.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0)
        #expect(try FileKind.xml.decoded(bytes, model).contents.rowCount == 4)
    }

    @Test("an XML store with harmless edits by people and programs is read")
    func harmless() throws {
        let model = try Sample.small()
        let wanted = try Sample.smallContents()
        let text = try Self.text()
        let edits: [(String, String)] = [
            ("\n", "\r\n"), ("<row id=\"1\" version=\"3\">", "<row\n  version='3'\tid = '1'\n>"),
            ("<entity ", "<!-- the notes -->\n<entity "), ("<text></text>", "<text/>"),
            ("<count>-7</count>", "<count>\n  -07 </count >"), ("<count>-7</count>", "<count>&#45;&#x37;</count>"),
            ("a &lt; b &amp; c", "<![CDATA[a < b & c]]>"), ("x\"y", "x&quot;y"),
            ("</strata-store>\n", "</strata-store>"),
            ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", ""),
            ("encoding=\"UTF-8\"", "encoding='utf-8' standalone='yes'"),
            ("source-position=\"2\"/>", "source-position=\"2\"></pair>"),
            (" next=\"12\"", ""), ("</strata-store>", "<!-- end --></strata-store> <!-- really -->"),
        ]
        for (old, new) in edits {
            let read = try FileKind.xml.decoded(Array(text.replacing(old, with: new).utf8), model)
            #expect(read.contents.rows(of: "Note") == wanted.rows(of: "Note"), "\(old) → \(new)")
            #expect(read.contents.pairs(of: "Note_tags") == wanted.pairs(of: "Note_tags"))
            #expect(read.contents.metadata == wanted.metadata)
        }
    }

    @Test("an XML store may have rows in any order and a new row without a new next identifier")
    func merged() throws {
        let model = try Sample.small()
        let text = try Self.text().replacing(
            "    <row id=\"1\"", with: "    <row id=\"20\"><text>new</text></row>\n    <row id=\"1\"")
        let read = try FileKind.xml.decoded(Array(text.utf8), model)
        #expect(read.contents.rows(of: "Note").map(\.id) == [1, 4, 5, 20])
        #expect(read.contents.rows(of: "Note").last?.version == 1)
        #expect(read.contents.nextIdentifier(of: "Note") == 21)
    }
}
