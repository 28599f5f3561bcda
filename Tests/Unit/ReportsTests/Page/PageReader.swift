import Foundation
import FoundationXML

/// A page as parsed by an XML parser.
struct PageReader {
    /// An element, in the order of the page.
    struct Element {
        let name: String
        let attributes: [String: String]
        /// The text directly inside the element.
        var text = ""
    }

    let elements: [Element]

    /// The page's title.
    var title: String? { elements.first { $0.name == "title" }?.text }

    /// The texts of all elements, one per line.
    var text: String { elements.map(\.text).joined(separator: "\n") }

    /// The texts of all style sheets.
    var styles: [String] { elements.filter { $0.name == "style" }.map(\.text) }

    /// Parses a page.
    ///
    /// - Throws: The parser's error if the page is not well formed.
    init(_ page: String) throws {
        let parser = XMLParser(data: Data(page.utf8))
        let gathering = Gathering()
        parser.delegate = gathering
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
        elements = gathering.elements
    }

    private final class Gathering: NSObject, XMLParserDelegate {
        var elements: [Element] = []
        private var open: [Int] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(elements.count)
            elements.append(Element(name: name, attributes: attributes))
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            open.removeLast()
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if let index = open.last { elements[index].text += text }
        }
    }
}
