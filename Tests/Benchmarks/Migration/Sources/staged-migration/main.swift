import Foundation
import StrataModelFiles
import StrataPersistence

// Splits the first name of every employee at its first letter: staged-migration STORE OLD-MODEL NEW-MODEL.
let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    FileHandle.standardError.write(Data("usage: staged-migration STORE OLD-MODEL NEW-MODEL\n".utf8))
    exit(64)
}
func model(_ path: String) throws -> ManagedObjectModel {
    try ModelFile(json: Array(try Data(contentsOf: URL(fileURLWithPath: path)))).model
}
let (old, new) = (try model(arguments[2]), try model(arguments[3]))
let split = EntityTransform("Employee") { old, new, _ in
    let name = try old.value("firstName", as: String.self)
    try new.set("initial", to: String(name.prefix(1)))
    try new.set("firstName", to: String(name.dropFirst()))
    return .keep
}
var description = PersistentStoreDescription.sqlite(at: URL(fileURLWithPath: arguments[1]))
description.migrationPlan = try MigrationPlan(
    [ModelVersion("1", old), ModelVersion("2", new)], stages: [.custom(from: "1", to: "2", [split])])
try PersistentContainer(model: new, description, mainQueue: .private).close()
