import Testing

@testable import StrataReports

@Suite("HTML markup of reports")
struct MarkupTests {
    private static let texts: [(String, String)] = [
        ("<script>alert(\"1\")</script>", "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"),
        ("a & b 'c'", "a &amp; b &#39;c&#39;"), ("\u{0}\t\n\u{1B}\u{7F}", "␀␉␊␛␡"),
        ("\u{85}\u{FFFE}", "\u{FFFD}\u{FFFD}"),
        ("\u{202E}x\u{2067}", "\u{FFFD}x\u{FFFD}"), ("ä 日本 👨‍👩‍👧", "ä 日本 👨‍👩‍👧"),
        ("e" + String(repeating: "\u{301}", count: 50) + "f", "e\u{301}\u{301}\u{301}\u{301}f"),
    ]

    @Test("special characters are escaped in HTML elements and attributes", arguments: texts)
    func escaping(text: String, escaped: String) {
        var markup = Markup()
        markup.element("p", ["title": text], text: text)
        #expect(markup.html == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test("markup isolates the writing direction of data and truncates long texts")
    func data() {
        var markup = Markup()
        markup.data(String(repeating: "x", count: 200))
        #expect(markup.html == "<bdi>" + String(repeating: "x", count: TextKey.shownScalars) + "…</bdi>")
    }

    private static let axes: [[(Double, String)]] = [
        [(0, "0"), (0.5, "50"), (1, "100")], [(0, "2024-01-01"), (1, "2024-12-31")],
        [(0.1, "1,000"), (0.3, "2,000"), (0.5, "3,000"), (0.7, "4,000")],
    ]

    @Test("an axis shows all of its labels if the labels fit", arguments: axes)
    func fittingLabels(axis: [(Double, String)]) {
        let labels = axis.map { ColumnPlot.Label(place: $0.0, text: $0.1) }
        #expect(LabelLayout([labels]).wide == labels)
    }

    @Test("an axis shows the first list of labels that fits, or a single label")
    func otherLabels() {
        let crowd = (0...20).map { ColumnPlot.Label(place: Double($0) / 20, text: "1,000,000") }
        let few = [crowd[0], crowd[20]]
        #expect(LabelLayout([crowd, few]).narrow == few)
        let long = [0.0, 1.0].map { ColumnPlot.Label(place: $0, text: String(repeating: "9", count: 30)) }
        #expect(LabelLayout([crowd, long]).narrow == [long[0]])
    }
}
