import Foundation
import Logging
import StrataPersistence

/// The data of an empty store.
struct Seed {
    init(_ folder: URL, _ container: PersistentContainer, _ logger: Logger) {}
    func run() async throws {}
}
