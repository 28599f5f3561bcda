import Foundation
import StrataFiles
import StrataInterchange
import StrataModelSwift

/// A directory with generated Swift code.
struct CodeDirectory {
    /// A difference between a generated file and the file in the directory.
    struct Change: CustomStringConvertible {
        enum Kind: String {
            case missing, different, obsolete
        }

        let path: String
        let kind: Kind
        /// The first line that differs, from 1.
        var line: Int?
        /// The generated text; `nil` if the file is obsolete.
        var text: String?

        var description: String {
            switch kind {
            case .missing: "\(path): the file is missing"
            case .different: "\(path):\(line ?? 1): the file differs from the generated code"
            case .obsolete: "\(path): the file is not generated any more"
            }
        }
    }

    /// The path of the directory.
    let path: String
    /// The generated files.
    let files: [SwiftModel.File]
    /// The first characters of files that were generated from the same model.
    private let mark: String

    /// Creates a directory for code.
    ///
    /// - Parameters:
    ///   - path: The path of the directory, which need not exist.
    ///   - source: The command that generates the code, without options.
    ///   - code: The code.
    init(path: String, source: String, _ code: SwiftModel) {
        self.path = path
        files = code.files
        mark = SwiftModel.header(source)
    }

    /// Returns the differences between the generated code and the directory.
    ///
    /// - Parameter removesOthers: A Boolean value that indicates whether the generated code is complete, so that other
    ///   files that were generated from the model are obsolete.
    /// - Returns: The differences, none if the directory is up to date.
    /// - Throws: `InterchangeError` with the code `cannotCreate` if a file that is to be written was not generated, and
    ///   the errors of reading files.
    func changes(removesOthers: Bool) throws -> [Change] {
        if PathKind(path) != .directory, PathKind(path) != .nothing {
            throw InterchangeError(.cannotCreate, source: path, message: "the output is not a directory")
        }
        var changes: [Change] = []
        for file in files {
            let path = "\(path)/\(file.path)"
            guard let old = try text(at: path) else {
                changes.append(Change(path: path, kind: .missing, text: file.text))
                continue
            }
            guard isFromModel(old) else {
                let reason =
                    old.hasPrefix(SwiftModel.mark)
                    ? "the file was generated from another model" : "the file was not generated"
                throw InterchangeError(
                    .cannotCreate, source: path,
                    message: "\(reason) and is not replaced; move it, or choose another directory")
            }
            guard let line = FirstDifference.line(Array(old.utf8), Array(file.text.utf8)) else { continue }
            changes.append(Change(path: path, kind: .different, line: line, text: file.text))
        }
        return removesOthers ? changes + (try obsolete()) : changes
    }

    /// Writes the changed files and deletes the obsolete ones.
    ///
    /// All files are complete before the first one replaces its target.
    func write(_ changes: [Change], _ interruption: Interruption) throws {
        var pending: [AtomicFile] = []
        do {
            for change in changes {
                guard let text = change.text else { continue }
                let folder = change.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
                try createFolder(folder.joined(separator: "/"))
                let file = try AtomicFile(path: change.path)
                pending.append(file)
                try file.output.append(Array(text.utf8))
                try file.output.flush()
            }
            try interruption.finish()
            for file in pending { try file.commit() }
        } catch {
            for file in pending { file.discard() }
            throw error
        }
        for change in changes where change.kind == .obsolete {
            guard unlink(change.path) == 0 || errno == ENOENT else {
                throw InterchangeError(
                    .outputFailed, source: change.path,
                    message: "the file is not generated any more, but it cannot be deleted: "
                        + String(cString: strerror(errno)))
            }
        }
        // The folders of layers are removed if they are empty.
        for folder in SwiftModel.folders { _ = rmdir("\(path)/\(folder)") }
    }

    private func createFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw InterchangeError(
                .cannotCreate, source: path,
                message: "the directory cannot be created: \(String(cString: strerror(errno)))")
        }
    }

    private func text(at path: String) throws -> String? {
        guard PathKind(path) != .nothing else { return nil }
        return String(decoding: try ByteInput.contents(of: path, atMost: 64 << 20), as: UTF8.self)
    }

    private func isFromModel(_ text: String) -> Bool { [" ", "\""].contains { text.hasPrefix(mark + $0) } }

    /// Returns the files of the directory that were generated from the model before, and are not generated now.
    ///
    /// Files that are not regular or cannot be read are not generated ones.
    private func obsolete() throws -> [Change] {
        // On some volumes, case does not distinguish names of files.
        let generated = Set(files.map { $0.path.lowercased() })
        var found: [Change] = []
        for folder in [""] + SwiftModel.folders where PathKind("\(path)/\(folder)") == .directory {
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)") } catch {
                throw InterchangeError(
                    .unreadable, source: "\(path)/\(folder)",
                    message: "the directory cannot be read: \(String(cString: strerror(errno)))")
            }
            for name in names.sorted()
            where name.hasSuffix(".swift") && !generated.contains((folder + name).lowercased()) {
                let file = "\(path)/\(folder)\(name)"
                guard FileStatus(path: file)?.isRegular == true, let open = OpenFile(path: file, O_RDONLY),
                    let beginning = try? open.bytes(mark.utf8.count + 1),
                    isFromModel(String(decoding: beginning, as: UTF8.self))
                else { continue }
                found.append(Change(path: file, kind: .obsolete))
            }
        }
        return found
    }
}
