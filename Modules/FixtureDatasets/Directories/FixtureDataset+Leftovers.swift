import Foundation
public import StrataInterchange

extension FixtureDataset {
    /// Datasets of the model in a directory that its manifest does not have: of a format or of entities that were made before.
    ///
    /// Files of other names are nobody's business.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - manifest: What was made in it.
    /// - Returns: A finding for each, in the order of the names.
    /// - Throws: `InterchangeError` when the directory cannot be read.
    public func leftovers(
        in directory: String, beside manifest: DatasetManifest
    ) throws(InterchangeError) -> [FixtureCheck.Finding] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw InterchangeError(.unreadable, source: directory, message: "the directory cannot be read")
        }
        let made = Set(manifest.datasets.map(\.file) + manifest.joins.map(\.file))
        return names.sorted().filter { name in
            DatasetFormat(fileName: name) != nil && name != DatasetManifest.fileName && !made.contains(name)
                && DatasetDirectory.entity(ofFile: name, in: model) != nil
        }.map { name in
            FixtureCheck.Finding(
                path: "\(directory.withoutTrailingSlashes)/\(name)",
                message: "is a dataset that the manifest does not make; remove it")
        }
    }
}

extension String {
    /// The path of a directory without slashes at its end, so that the files in it have the names that people write.
    package var withoutTrailingSlashes: String {
        guard let last = lastIndex(where: { $0 != "/" }) else { return self }
        return String(self[...last])
    }
}
