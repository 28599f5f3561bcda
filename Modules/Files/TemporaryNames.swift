import Foundation

/// The names of the temporary files that replace a target: hidden files in the folder of the target.
package struct TemporaryNames: Sendable {
    /// The path of the target.
    let target: String
    /// The path of the folder that contains the target.
    let folder: String
    private let beginning: String
    private let letters: String
    private let lengths: ClosedRange<Int>
    private let ending: String

    /// The maximum count of bytes of the target's name that a name contains; a file name has at most 255 bytes.
    private static let longestName = 200

    /// Creates the names for a target: a period, the target's name, a separator, random letters and an ending.
    ///
    /// - Parameters:
    ///   - target: The path of the target.
    ///   - separator: The text between the target's name and the random letters.
    ///   - letters: The letters, all of which are ASCII.
    ///   - lengths: The counts of random letters that a name can have. New names have the maximum.
    ///   - ending: The text after the random letters.
    package init(of target: String, separator: String, letters: String, lengths: ClosedRange<Int>, ending: String = "")
    {
        (self.target, folder) = (target, FilePath.folder(of: target))
        let name = FilePath.name(of: target).utf8.prefix(Self.longestName)
        beginning = ".\(String(decoding: name, as: UTF8.self))\(separator)"
        (self.letters, self.lengths, self.ending) = (letters, lengths, ending)
    }

    /// Returns a random path for a temporary file.
    func randomPath() -> String {
        let random = (0..<lengths.upperBound).compactMap { _ in letters.randomElement() }
        return "\(folder)/\(beginning)\(String(random))\(ending)"
    }

    /// Returns the paths of all temporary files of the target, whose writers are running or were killed.
    package func existingPaths() -> [String] {
        let names: [String]
        // A process that may write in a folder but not list it leaves temporary files only if it is killed.
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
        return names.filter { name in
            guard name.hasPrefix(beginning), name.hasSuffix(ending) else { return false }
            let random = name.utf8.dropFirst(beginning.utf8.count).dropLast(ending.utf8.count)
            return lengths.contains(random.count) && random.allSatisfy(letters.utf8.contains)
        }.map { "\(folder)/\($0)" }
    }

    /// Removes the temporary files of the target that killed writers left: those that no process has locked.
    ///
    /// Errors are ignored, because remaining files cause no harm.
    ///
    /// - Parameter identity: The identity of the target if the caller has locked it. A process that was killed while a
    ///   new target had two names left such a file.
    package func removeLeftovers(of identity: FileStatus.Identity? = nil) {
        for path in existingPaths() {
            guard let file = OpenFile(path: path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW) else { continue }
            defer { file.close() }
            do {
                let status = try file.status()
                if status.isRegular, try status.identity == identity || file.tryLock() { unlink(path) }
            } catch {
                continue
            }
        }
    }
}
