import Foundation
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataReferenceFixtures
import StrataRepositories

/// A temporary folder of a test, which is removed with the last reference to it.
final class Folder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

extension FixtureDataset {
    /// Returns a dataset of the reference model.
    static func reference(
        seed: UInt64 = 42, counts: [String: Int] = [:], isHostile: Bool = false
    ) throws -> FixtureDataset {
        var description = try FixtureDescription(seed: seed).with(counts)
        if isHostile { description.hostile = FixtureDescription.standardHostility }
        return try FixtureDataset(description, model: try ReferenceModel.model())
    }

    /// Returns the bytes of one entity's file.
    func bytes(of entity: String, _ format: DatasetFormat, threads: Int = 1) throws -> [UInt8] {
        var options = ExportOptions(format: format)
        options.readers = threads
        let output = ByteOutput.memory()
        try write(entity, to: output, options: options)
        return output.bytes
    }
}

/// The row counts of every entity, small enough for a test and larger than one part of a file.
let severalParts = ["Color": 300, "Boss": 40, "Employee": 4_500, "Item": 300]
