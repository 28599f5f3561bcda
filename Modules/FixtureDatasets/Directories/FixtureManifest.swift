import Foundation
import StrataCore
public import StrataFixtures
public import StrataInterchange

/// The manifest of a directory of fixtures, which contains the manifest of its datasets and their description.
public struct FixtureManifest: Sendable {
    /// The key of the description in the manifest.
    public static let key = "fixtures"

    /// The files.
    public var datasets: DatasetManifest
    /// The description of the files.
    public var description: FixtureDescription

    /// Creates a manifest.
    ///
    /// - Parameters:
    ///   - datasets: The files.
    ///   - description: The description of the files.
    public init(datasets: DatasetManifest, description: FixtureDescription) {
        self.datasets = datasets
        self.description = description
    }

    /// Creates a manifest from JSON.
    ///
    /// - Parameters:
    ///   - json: The bytes of the file.
    ///   - source: The name of the file, for error messages.
    ///   - schema: The entities that the description can name.
    /// - Throws: `InterchangeError` if the file is not a manifest, and `FixtureError` if it contains no description or
    ///   an invalid one.
    public init(json: [UInt8], source: String, schema: [FixtureEntity]) throws {
        datasets = try DatasetManifest(json: Data(json), source: source)
        do throws(FixtureError) {
            let document = try JSONValue.read(json)
            guard let value = document[Self.key] else {
                throw document.error(
                    code: .unknown,
                    "the manifest has no description of the files (\"\(Self.key)\"); only files that strata generate "
                        + "wrote can be generated again")
            }
            description = try FixtureDescription(value, schema: schema)
        } catch {
            var located = error
            located.source = source
            throw located
        }
    }

    /// Returns the bytes of the file, which are the same for the same content.
    ///
    /// - Throws: `EncodingError`, which no known manifest causes.
    public func json() throws -> [UInt8] {
        var document = try JSONValue.read(Array(try datasets.json()))
        if case .object(var members) = document.content {
            members.append(.init(name: Self.key, value: description.value))
            document.content = .object(members)
        }
        return Array(document.json.utf8)
    }
}
