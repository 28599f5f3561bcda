import Foundation
import StrataCore
public import StrataFixtures
public import StrataInterchange

/// The manifest of a directory of fixtures: that of its datasets, and the description that they were made of.
public struct FixtureManifest: Sendable {
    /// The key under which the description stands in the manifest.
    public static let key = "fixtures"

    /// The files.
    public var datasets: DatasetManifest
    /// What made them.
    public var description: FixtureDescription

    /// A manifest.
    ///
    /// - Parameters:
    ///   - datasets: The files.
    ///   - description: What made them.
    public init(datasets: DatasetManifest, description: FixtureDescription) {
        self.datasets = datasets
        self.description = description
    }

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - json: The bytes of the file.
    ///   - source: The file's name, for messages.
    ///   - schema: The entities that the description may name.
    /// - Throws: `InterchangeError` when it is no manifest, `FixtureError` when it does not say what made the files, or says it wrongly.
    public init(json: [UInt8], source: String, schema: [FixtureEntity]) throws {
        datasets = try DatasetManifest(json: Data(json), source: source)
        do throws(FixtureError) {
            let document = try JSONValue.read(json)
            guard let value = document[Self.key] else {
                throw document.error(
                    code: .unknown,
                    "does not say what made the files (\"\(Self.key)\"); only what generate wrote can be made again")
            }
            description = try FixtureDescription(value, schema: schema)
        } catch {
            var located = error
            located.source = source
            throw located
        }
    }

    /// The bytes of the file: the same for the same content.
    ///
    /// - Throws: `EncodingError`; no manifest is known to.
    public func json() throws -> [UInt8] {
        var document = try JSONValue.read(Array(try datasets.json()))
        if case .object(var members) = document.content {
            members.append(.init(name: Self.key, value: description.value))
            document.content = .object(members)
        }
        return Array(document.json.utf8)
    }
}
