import Foundation
import StrataModelFiles
import StrataPersistence

// The examples of the documentation of model files, line by line.

func modelOfFile(_ text: String, _ url: URL) throws {
    let file = try ModelFile(json: Array(text.utf8))
    for finding in file.warnings { print(finding) }
    let container = try PersistentContainer(model: file.model, .sqlite(at: url))
    try container.close()
}

func keyOfReference() -> RelationshipDescription {
    RelationshipDescription(
        "customer", to: "Customer", .toOne, externalKey: ExternalKey("code", column: "customer code"))
}

func formatOfText() -> AttributeDescription {
    AttributeDescription("mail", .string, domain: TextFormat.email.domain)
}
