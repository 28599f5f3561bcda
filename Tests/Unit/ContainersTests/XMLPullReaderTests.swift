import StrataContainers
import StrataTestSupport
import Testing

@Suite("The pull parser of XML")
struct XMLPullReaderTests {
    /// Returns the events of a document as one text.
    static func events(_ document: [UInt8], blockSize: Int = .max) throws -> String {
        var xml = try XMLPullReader(ByteArraySource(document, blockSize: blockSize))
        var (result, text) = ("", "")
        while true {
            let event = try xml.next()
            if event == .text {
                text += String(decoding: xml.text, as: UTF8.self)
                continue
            }
            if !text.isEmpty { result += "[\(text)]" }
            text = ""
            switch event {
            case .start:
                result += "<\(xml.isNamed("a") ? "a" : "?")"
                if let value = xml.attribute("k") { result += " k=\(value)" }
                result += ">"
            case .end: result += "</>"
            case .text: break
            case .finished: return result
            }
        }
    }

    @Test(
        "documents are read in any blocks",
        arguments: [
            ("<a/>", "<a></>"),
            ("\u{FEFF}<?xml version=\"1.0\" standalone='yes'?>\n<a k='1'>x</a>\n<!-- end -->\n", "<a k=1>[x]</>"),
            ("<a><b/>t<a k = \"&lt;&#65;&#x1F600;&quot;\t'\"/></a>", "<a><?></>[t]<a k=<A😀\" '></></>"),
            ("<x:a y:k=\"2\" xmlns:x='urn'>1</x:a>", "<a k=2>[1]</>"),
            ("<a>a\r\nb\rc&amp;d]]</a>", "<a>[a\nb\nc&d]]]</>"),
            ("<a><![CDATA[<b>&amp;]]]]><![CDATA[>\r\n]]></a>", "<a>[<b>&amp;]]>\n]</>"),
            ("<a><!-- - > --><?p <a> ?>x<!----></a>", "<a>[x]</>"),
            ("<a k='1\r\n2\r3\n4'/>", "<a k=1 2 3 4></>"),
            ("<a><b><c/></b\n></a>", "<a><?><?></></></>"),
        ])
    func documents(document: String, expected: String) throws {
        for size in [Int.max, 1, 2, 3, 5, 8] {
            #expect(try Self.events(Array(document.utf8), blockSize: size) == expected)
        }
    }

    @Test(
        "violations of the rules are errors",
        arguments: [
            "", "x", "<a>", "<a></b>", "</a>", "<a/><a/>", "<a/>x", "<a", "<a k></a>", "<a k=1/>", "<a k='<'/>",
            "<a k='&x;'/>", "<a>&</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x;</a>", "<a>&nbsp;</a>",
            "<a>\u{1}</a>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a><!-- </a>", "<a><![CDATA[</a>",
            "<![CDATA[x]]><a/>", "<a><?p</a>", "< a/>", "<a></ a>", "<a:/>", "<a k='1'k='2'>", "\u{0}<a/>",
            "<a k='1' k='2'/>", "<1/>", "<a -='1'/>", "<a>]]></a>", "<a><!-- -- --></a>", "<a><!----->x</a>",
            "<?xml version='1.1'?><a/>", "<?xml version='1.0' encoding='utf-16'?><a/>", "<?xml version='1.0'",
            "<?xml version='1.0'><a/>", "<?xml version='1.0' x='1'?><a/>",
        ])
    func violations(document: String) throws {
        for size in [Int.max, 1, 3] {
            #expect(throws: ContainerError.self) { try Self.events(Array(document.utf8), blockSize: size) }
        }
        #expect(throws: ContainerError.self) {
            try Self.events([0xFF, 0xFE] + Array("<a/>".utf16.flatMap { [UInt8($0), 0] }))
        }
    }

    @Test(
        "an error has its offset, and the part of the document that was skipped has its offset",
        arguments: [
            ("<a>\n  <b k=1/></a>", 11, "a quote is expected here"),
            ("<a><b k='1'k='2'/></a>", 11, "a space is expected here"),
            ("<a><b k='1' k='2'/></a>", 12, "the attribute “k” occurs twice"),
            (
                "<a>xy&z;</a>", 5,
                "only &lt; &gt; &amp; &quot; &apos; and references by numbers are allowed here; “&” "
                    + "alone must be written as “&amp;”"
            ),
            ("<a>xy</b>", 5, "</b> found where <a> ends"), ("<a/>\n<b/>", 5, "a second element after the first"),
            ("<a><!-- x -- --></a>", 10, "a comment must not contain “--” except at its end"),
            ("<!DOCTYPE a><a/>", 0, "the book must not have a document type (DOCTYPE)"),
        ])
    func offsets(document: String, offset: Int, message: String) throws {
        for size in [Int.max, 1, 3] {
            let error = #expect(throws: ContainerError.self) {
                var xml = try XMLPullReader(
                    ByteArraySource(Array(document.utf8), blockSize: size), document: "the book")
                while try xml.next() != .finished {}
            }
            #expect(error == ContainerError(.malformed, message, offset: offset))
        }
        var xml = try XMLPullReader(ByteArraySource(Array("<a><!--x--><?p?>yz</a>".utf8)))
        #expect(try xml.next() == .start && xml.offset == 0 && xml.nextOffset == 3 && xml.skippedComment == nil)
        #expect(try xml.next() == .text && xml.offset == 16 && xml.nextOffset == 18)
        #expect(xml.skippedComment == 3 && xml.skippedInstruction == 11)
        #expect(try xml.next() == .end && xml.offset == 18 && xml.skippedInstruction == nil)
    }

    @Test("the nesting, the attributes and the size of a tag are limited")
    func limits() throws {
        let depth = XMLPullReader.maximumDepth
        let nested = { String(repeating: "<a>", count: $0) + String(repeating: "</a>", count: $0) }
        _ = try Self.events(Array(nested(depth).utf8))
        #expect(throws: ContainerError.self) { try Self.events(Array(nested(depth + 1).utf8)) }
        let attributes = { "<a " + (0..<$0).map { "a\($0)='1' " }.joined() + "/>" }
        _ = try Self.events(Array(attributes(XMLPullReader.maximumAttributes).utf8))
        #expect(throws: ContainerError.self) {
            try Self.events(Array(attributes(XMLPullReader.maximumAttributes + 1).utf8))
        }
        let long = "<a k='" + String(repeating: "x", count: XMLPullReader.maximumTag) + "'/>"
        #expect(throws: ContainerError.self) { try Self.events(Array(long.utf8), blockSize: 64 << 10) }
    }

    @Test(
        "a changed document is an error or has events, without a crash",
        arguments: Seeds.batches(of: 2_000, all: 500_000))
    func mutated(seed: UInt64) throws {
        let original = Array("<?xml version='1.0'?><a k='1&#65;'><b>x&amp;y</b><![CDATA[z]]><!-- c --><c/></a>".utf8)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    Array("<>&;!-[]'\"=/? \u{0}a".utf8).randomElement(using: &generator) ?? 0
            }
            do {
                _ = try Self.events(bytes, blockSize: Int.random(in: 1...20, using: &generator))
            } catch is ContainerError {}
        }
    }
}
