import Foundation
import Release1
import StrataModelFiles
import StrataPersistence

// Writes the store and the model of the first release. The program ran once for that release, and its output is in
// Stores/.
let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? ".")
let model = try Release1.model()
let container = try PersistentContainer(
    model: model, .sqlite(at: folder.appendingPathComponent("release-1.sqlite")), mainQueue: .private)
try Release1.fill(container.backgroundContext)
try container.close()
try Data(ModelFile.text(of: model).utf8).write(to: folder.appendingPathComponent("model-1.json"))
