import Foundation
import StrataPersistence

let container = try PersistentContainer(
    model: ManagedObjectModel(records: [Book.self]), .sqlite(at: URL(fileURLWithPath: "books.sqlite")),
    mainQueue: .private)
let shelf = Bookshelf(records: container.backgroundContext)
let emma = try await shelf.add("Emma", pages: 474)
print("saved", emma.id, emma.title, "- longest:", try await shelf.longest(3))
try container.close()
