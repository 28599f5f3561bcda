import Foundation
import Release1
import StrataModelFiles
import StrataPersistence

// Writes what the first release left behind: a store and its model. Run once, when that release came; what it wrote is kept in Stores/.
let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? ".")
let model = try Release1.model()
let container = try PersistentContainer(
    model: model, .sqlite(at: folder.appendingPathComponent("release-1.sqlite")), mainQueue: .private)
try Release1.fill(container.backgroundContext)
try container.close()
try Data(ModelFile.text(of: model).utf8).write(to: folder.appendingPathComponent("model-1.json"))
