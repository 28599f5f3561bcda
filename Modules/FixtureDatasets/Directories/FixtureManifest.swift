import Foundation
import StrataCore
public import StrataFixtures
public import StrataInterchange

/// The manifest of a directory of fixtures: the manifest of its dataset files, and the description of their rows.
///
/// An import reads the same file as a `DatasetManifest`, and ignores the description. The description is complete: it
/// contains all defaults, so that a later version of Strata with other defaults generates the same rows.
///
/// ## Topics
///
/// ### Creating a manifest
///
/// - ``init(datasets:description:)``
/// - ``init(json:source:schema:)``
///
/// ### Reading a manifest
///
/// - ``datasets``
/// - ``description``
///
/// ### Writing a manifest
///
/// - ``json()``
/// - ``key``
public struct FixtureManifest: Sendable {
    /// The key under which the manifest file contains the description of the rows.
    public static let key = "fixtures"

    /// The manifest of the dataset files.
    public var datasets: DatasetManifest
    /// The description of the rows in the files.
    public var description: FixtureDescription

    /// Creates a manifest.
    ///
    /// - Parameters:
    ///   - datasets: The manifest of the dataset files.
    ///   - description: The description of the rows in the files.
    public init(datasets: DatasetManifest, description: FixtureDescription) {
        self.datasets = datasets
        self.description = description
    }

    /// Creates a manifest from the JSON of a manifest file.
    ///
    /// The initializer does not read the files that the manifest lists.
    ///
    /// - Parameters:
    ///   - json: The bytes of the manifest file.
    ///   - source: The name of the manifest file, for error messages.
    ///   - schema: The entities that the description can name.
    /// - Throws: `InterchangeError` if the file is not a manifest, and `FixtureError` if it contains no description or
    ///   an invalid description.
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

    /// Returns the manifest as JSON; equal manifests have identical bytes.
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
