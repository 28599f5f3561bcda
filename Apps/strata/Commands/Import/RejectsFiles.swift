import Foundation
import StrataInterchange

/// The files that receive the rejected records: one file, or a directory with one file for each dataset.
final class RejectsFiles {
    let path: String
    private var files: [RejectsFile]

    init(
        _ path: String, sources: [ImportSource], writing: RejectsFile.Writing, guarding: inout OutputGuard
    ) throws {
        self.path = path
        guard sources.count > 1 else {
            try guarding.claim(path)
            files = sources.map { RejectsFile(path: path, source: $0.input.name, writing: writing) }
            return
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw InterchangeError(
                .cannotCreate, source: path,
                message: "the directory for the rejects of several datasets cannot be created")
        }
        let names = Self.names(sources)
        for name in names { try guarding.claim("\(path)/\(name)") }
        files = zip(sources, names).map { RejectsFile(path: "\(path)/\($1)", source: $0.input.name, writing: writing) }
    }

    /// Returns the names of the datasets without their folders.
    ///
    /// Equal names get a number before the extension, so that the entity name and the extension are preserved.
    private static func names(_ sources: [ImportSource]) -> [String] {
        var names: [String] = []
        for source in sources {
            let file = source.input.name.split(separator: "/").last.map(String.init) ?? "stdin"
            let compression = [".gz", ".zst", ".zstd"].first { file.lowercased().hasSuffix($0) }
            let plain = String(file.dropLast(compression?.count ?? 0))
            let point = plain.firstIndex(of: ".") ?? plain.endIndex
            var (name, number) = (plain, 1)
            while names.contains(name) {
                number += 1
                name = plain[..<point] + ".\(number)" + plain[point...]
            }
            names.append(name)
        }
        return names
    }

    func append(_ problem: ImportProblem) throws { try files[problem.source].append(problem) }

    func synchronize() throws { for file in files { try file.synchronize() } }

    func commit() throws { for file in files { try file.commit() } }

    var count: Int { files.reduce(0) { $0 + $1.count } }
}
