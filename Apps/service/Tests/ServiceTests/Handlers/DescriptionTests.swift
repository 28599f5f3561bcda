import Foundation
import Testing

@testable import Service

@Suite("The description of the API")
struct DescriptionTests {
    /// A client's tools use this file; a change of the model or of the routes changes it.
    ///
    /// To write it again, run the service: `curl -s ADDRESS/openapi.json | python3 -m json.tool > openapi.json`
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../openapi.json")

    @Test("the file openapi.json is the description of the API")
    func file() throws {
        let file = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: Self.file))
        #expect(try OpenAPIDocument(Resources.model()).json == file)
    }

    @Test("each reference in the description names a component")
    func references() throws {
        let document = try OpenAPIDocument(Resources.model()).json
        let found = Self.references(document)
        #expect(found.count > 50)
        for reference in Set(found) {
            let path = reference.split(separator: "/").dropFirst()
            let component = path.reduce(document) { $0.members?[String($1)] ?? .null }
            #expect(component != .null, "\(reference)")
        }
    }

    private static func references(_ value: JSON) -> [String] {
        switch value {
        case .array(let elements): elements.flatMap(references)
        case .object(let members):
            members.flatMap { name, member -> [String] in
                if name == "$ref", case .string(let text) = member { [text] } else { references(member) }
            }
        default: []
        }
    }
}
