import Foundation
import FoundationXML
import PersistenceTestSupport
import StrataPersistence
import Testing

@testable import StrataReports

@Suite("Report pages")
struct PageTests {
    /// Data that contains markup, and more rows than a page shows.
    private static func hostile() throws -> SampleStore {
        let texts = [
            "<script>alert(1)</script>", "\"'><svg onload=alert(1)>", "]]> &amp; <!--", "\u{202E}right to left",
            "\u{1B}[31m \u{7} \u{FFFE}", String(repeating: "W", count: 5000), "url(http://example.com)", "",
        ]
        let things = (0..<60).map { index -> [SampleModel.Column: StoredValue] in
            [
                .whole: .integer(Int64(index) * 1_000_003), .price: .decimal(ScaledDecimal(unscaled: 5, scale: 2)),
                .real: .double(Double(index) / 7), .flag: .boolean(index.isMultiple(of: 3)),
                .day: .date(Date(timeIntervalSinceReferenceDate: Double(index) * 1e6)),
                .paint: .string(index.isMultiple(of: 2) ? "#FF0000" : "#00ff0\(index % 10)"),
                .name: .string(texts[index % texts.count]),
                .owner: index.isMultiple(of: 9) ? .null : .integer(Int64(index % 8) + 1),
            ]
        }
        return try SampleStore(.inMemory, owners: texts, things: things)
    }

    private static func page(_ title: String = "Report") throws -> PageReader {
        try PageReader(try hostile().report(ReportOptions(title: title)).page)
    }

    @Test("a page is well formed for hostile data and for an empty store")
    func wellFormed() throws {
        #expect(try Self.page("<b>&\u{0}").title == "<b>&\u{2400}")
        let empty = try PageReader(try SampleStore(.sqlite).report().page)
        #expect(empty.elements.contains { $0.name == "h1" })
    }

    @Test(
        "a page labels a color with its first name that is not empty, and marks truncated names",
        arguments: StoreKind.allCases)
    func colorNames(kind: StoreKind) throws {
        let long = String(repeating: "long ", count: 100)
        let things: [[SampleModel.Column: StoredValue]] = [
            [.paint: .string("#FF0000"), .name: .string("")], [.paint: .string("#ff0000"), .name: .string("red")],
            [.paint: .string("#0000FF"), .name: .string(long)], [.paint: .string("#00FF00"), .name: .string("")],
        ]
        let page = try SampleStore(kind, things: things).report().page
        #expect(page.contains("<bdi>red</bdi></span><code>#FF0000</code>"))
        #expect(page.contains("<bdi>\(long.prefix(96))…</bdi></span><code>#0000FF</code>"))
        #expect(page.contains("no name</span></span><code>#00FF00</code>"))
    }

    @Test("a page has no script, no event handler and no external resource")
    func selfContained() throws {
        let page = try Self.page()
        let known: Set = [
            "html", "head", "meta", "title", "style", "body", "header", "h1", "p", "nav", "div", "table", "thead", "tr",
            "th", "td", "tbody", "a", "bdi", "span", "main", "section", "h2", "small", "figure", "figcaption", "h3",
            "dl",
            "dt", "dd", "svg", "desc", "path", "details", "summary", "ul", "li", "code", "em", "footer",
            "rect", "text",
        ]
        for element in page.elements {
            #expect(known.contains(element.name), "\(element.name)")
            for (name, value) in element.attributes {
                #expect(!name.hasPrefix("on") && name != "src" && name != "srcset" && name != "data", "\(name)")
                if name == "href" { #expect(value.hasPrefix("#")) }
                if name == "style" { #expect(!value.contains("url(") && !value.contains(";")) }
            }
        }
        for style in page.styles {
            for word in ["url(", "@import", "http:", "https:", "//"] { #expect(!style.contains(word)) }
        }
        let policy = page.elements.first { $0.attributes["http-equiv"] == "Content-Security-Policy" }
        #expect(policy?.attributes["content"] == "default-src 'none'; style-src 'unsafe-inline'")
    }

    @Test("every picture of a page has a title and a description, and all element identifiers are unique")
    func accessible() throws {
        let page = try Self.page()
        let ids = page.elements.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count)
        let pictures = page.elements.filter { $0.name == "svg" }
        #expect(pictures.count >= 5)
        for picture in pictures {
            #expect(picture.attributes["role"] == "img")
            let labels = (picture.attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
            #expect(labels.count == 2)
            for label in labels {
                let element = page.elements.first { $0.attributes["id"] == label }
                #expect(["title", "desc"].contains(element?.name))
                #expect((element?.text.count ?? 0) > 10)
            }
        }
        #expect(page.elements.first?.attributes["lang"] == "en")
        for link in page.elements.compactMap({ $0.attributes["href"] }) {
            #expect(ids.contains(String(link.dropFirst())))
        }
    }

    @Test("a page reports the counts of shown and omitted nodes of a tree")
    func tree() throws {
        let sample = try SampleStore(
            .inMemory, owners: ["one", "two", "three"],
            things: (0..<40).map { [.name: .string("t\($0)"), .owner: $0 < 30 ? .integer($0 < 25 ? 1 : 2) : .null] })
        let page = try sample.report(ReportOptions(parents: 1, children: 3)).page
        let lines = [
            "30 of 40 Thing rows lead to 2 of 3 Owner rows. Shown are those with the most.", "and 22 more</li>",
            "and 1 more Owner with fewer or as many", "and 1 Owner to which none leads", "<em>leads to none</em>",
            "and 7 more</li>",
        ]
        for line in lines { #expect(page.contains(line), "\(line)") }
    }

    @Test("a page has a table of the join rows of many-to-many relationships")
    func links() throws {
        let page = try Self.page()
        #expect(page.elements.contains { $0.attributes["id"] == "links" })
    }

    @Test("a page labels a color with the value of the name attribute")
    func colorNames() throws {
        let sample = try SampleStore(
            .inMemory,
            things: [[.paint: .string("#ff0000"), .name: .string("signal red")], [.paint: .string("#0000FF")]])
        let page = try sample.report().page
        #expect(page.contains("<bdi>signal red</bdi></span><code>#FF0000</code>"))
        #expect(page.contains("no name</span></span><code>#0000FF</code>"))
        #expect(page.contains("2 colors by hue, light to dark inside each family, greys last: 1 reds, 1 blues."))
    }
}
