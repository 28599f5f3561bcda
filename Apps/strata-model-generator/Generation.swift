import Foundation
import StrataFiles
import StrataModelFiles
import StrataModelSwift

/// One run of the generator.
struct Generation {
    /// The path of the model file.
    let path: String
    private let json: [UInt8]
    private let options: SwiftModelOptions

    /// The name of the optional file with options, in the directory of the model file.
    private static let optionsFile = "strata-model-options.json"

    /// Reads a model file and the options next to it.
    ///
    /// - Throws: ``BuildError`` if a file cannot be read.
    init(model path: String) throws(BuildError) {
        self.path = path
        json = try Self.contents(of: path)
        let options = FilePath.folder(of: path) + "/" + Self.optionsFile
        self.options = FileStatus(path: options) == nil ? BuildOptions().options : try Self.options(at: options)
    }

    /// Writes the Swift code of the model to a file.
    ///
    /// - Throws: ``BuildError`` with all findings if the model is invalid, or if the file cannot be written.
    func write(to output: String) throws(BuildError) {
        let code = try code()
        for note in code.notes { print("\(path):1:1: note: \(note)") }
        do { try Data(code.text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic) } catch {
            throw BuildError("\(output): error: the file cannot be written: \(error.localizedDescription)")
        }
    }

    private func code() throws(BuildError) -> SwiftModel {
        let file: ModelFile
        do throws(ModelFileError) {
            let folder = FilePath.folder(of: path)
            file = try ModelFile(json: json) { try Self.schema($0, in: folder) }
        } catch {
            throw BuildError(error.findings.map { line($0) }.joined(separator: "\n"))
        }
        for warning in file.warnings where warning.severity == .warning { print(line(warning)) }
        do throws(SwiftModelError) {
            return try SwiftModel(file.model, options, command: "strata model swift \(FilePath.name(of: path))")
        } catch {
            throw BuildError("\(path):1:1: error: \(error)")
        }
    }

    private func line(_ finding: ModelFileFinding) -> String {
        var (path, json) = (path, json)
        if let file = finding.file {
            path = "\(FilePath.folder(of: path))/\(file)"
            // If the file cannot be read, the finding is about that.
            json = (try? Self.contents(of: path)) ?? []
        }
        let (line, column) = finding.location(in: json) ?? (1, 1)
        return "\(path):\(line):\(column): \(finding.severity.rawValue): \(finding.message)"
    }

    private static func options(at path: String) throws(BuildError) -> SwiftModelOptions {
        let json = try contents(of: path)
        do {
            return try JSONDecoder().decode(BuildOptions.self, from: Data(json)).options
        } catch let error as BuildError {
            throw BuildError("\(path):1:1: error: \(error)")
        } catch {
            throw BuildError("\(path):1:1: error: the file is not a JSON object with texts and lists of texts")
        }
    }

    /// Returns a separate file with a schema, which must be in the directory of the model file.
    private static func schema(_ name: String, in folder: String) throws -> [UInt8] {
        let path = "\(folder)/\(name)"
        guard FileStatus(path: path) != nil else { throw BuildError("the file does not exist") }
        guard FilePath.resolved(path).hasPrefix(FilePath.resolved(folder) + "/") else {
            throw BuildError("a link points outside the model file's directory")
        }
        return try contents(of: path)
    }

    private static func contents(of path: String) throws(BuildError) -> [UInt8] {
        do { return Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw BuildError("\(path):1:1: error: the file cannot be read: \(error.localizedDescription)")
        }
    }
}
