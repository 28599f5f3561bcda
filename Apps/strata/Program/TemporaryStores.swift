import Foundation
import StrataInterchange

/// Stores that only one command needs, in the system's folder for temporary files.
enum TemporaryStores {
    /// A new folder.
    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw InterchangeError(
                .cannotCreate, source: folder.path,
                message: "a folder for a temporary store cannot be made; TMPDIR names another place")
        }
        return folder
    }

    /// Removes a folder; what is left there does no harm.
    static func remove(_ folder: URL) { try? FileManager.default.removeItem(at: folder) }
}
