import Foundation
import StrataContainers
import StrataFiles
import StrataTestSupport
import Testing

/// A folder that is removed after the test.
final class TestFolder {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("containers-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and opens it.
    func file(_ bytes: [UInt8]) throws -> OpenFile {
        let file = "\(path)/\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return try #require(OpenFile(path: file, O_RDONLY))
    }
}

/// Bytes that a writer produced.
final class ByteSink {
    var bytes: [UInt8] = []
}

/// Returns a ZIP archive of entries.
func zipped(_ entries: [(name: String, bytes: [UInt8])], isDeflated: Bool = true) throws -> [UInt8] {
    let sink = ByteSink()
    var zip = ZipWriter { sink.bytes += $0 }
    for entry in entries { try zip.add(entry.name, entry.bytes, isDeflated: isDeflated) }
    try zip.finish()
    return sink.bytes
}

/// Returns the message of the error of an archive that a closure throws; `nil` if it throws none.
func message(_ body: () throws -> Void) throws -> String? {
    do { try body() } catch let error as ContainerError {
        return (error.entry.map { "\($0): " } ?? "") + error.message
    }
    return nil
}
