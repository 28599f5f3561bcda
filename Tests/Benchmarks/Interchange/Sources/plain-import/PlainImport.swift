import Foundation
import StrataInterchange
import StrataPersistence

/// A program that imports employees whose boss is a number without an index, like the plain table of the other library.
///
/// Usage: plain-import FILE STORE
@main
enum PlainImport {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let format = DatasetFormat(fileName: arguments[1]) else {
            throw InterchangeError(.unsupported, message: "usage: plain-import FILE STORE")
        }
        let employee = EntityDescription(
            "Employee",
            [
                .attribute(AttributeDescription("firstName", .string)),
                .attribute(AttributeDescription("lastName", .string)),
                .attribute(AttributeDescription("salary", .integer64)),
                .attribute(AttributeDescription("dateHired", .date)),
                .attribute(AttributeDescription("boss", .integer64, isOptional: true)),
            ])
        let container = try PersistentContainer(
            model: ManagedObjectModel([employee]), .sqlite(at: URL(fileURLWithPath: arguments[2])), mainQueue: .private)
        let importer = try DatasetImporter(
            entity: "Employee", container: container, options: ImportOptions(format: format))
        let summary = try importer.run(ByteInput(path: arguments[1]))
        try container.close()
        print("imported \(summary.count) records")
    }
}
