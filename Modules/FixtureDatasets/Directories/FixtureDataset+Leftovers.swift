import Foundation
public import StrataInterchange

extension FixtureDataset {
    /// Returns findings for dataset files in a directory that its manifest does not list, such as files of an earlier
    /// run.
    ///
    /// Files that are not named like datasets of the model are ignored.
    ///
    /// No file is removed. Only the names of the files are read, not their contents.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - manifest: The manifest of the generated files.
    /// - Returns: A finding for each such file, in the order of the names.
    /// - Throws: `InterchangeError` if the directory cannot be read.
    public func leftovers(
        in directory: String, nextTo manifest: DatasetManifest
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
                message: "the manifest does not contain this dataset; remove the file")
        }
    }
}

extension String {
    /// The path without trailing slashes, so that paths of files in this directory contain no double slashes.
    package var withoutTrailingSlashes: String {
        guard let last = lastIndex(where: { $0 != "/" }) else { return self }
        return String(self[...last])
    }
}
