import Foundation

/// The location of a store's file with symbolic links resolved, so that replacing the file does not replace a link.
struct StoreLocation: Sendable {
    /// The path that the caller passed, for error messages.
    let name: String
    /// The path of the store's file after symbolic links were resolved.
    let path: String
    /// The path of the folder that contains the store's file.
    let folder: String
    /// The name of the store's file in ``folder``.
    let file: String

    /// The maximum count of symbolic links that are resolved one after the other, as in the system's path resolution.
    private static let maximumLinks = 40

    init(_ name: String) {
        self.name = name
        var path = name
        for _ in 0..<Self.maximumLinks {
            guard let target = Self.target(of: path) else { break }
            path = target.hasPrefix("/") ? target : Self.split(path).folder + "/" + target
        }
        let (folder, file) = Self.split(path)
        let real = Self.real(folder) ?? folder
        (self.folder, self.file) = (real, file)
        self.path = real == "/" ? "/" + file : real + "/" + file
    }

    private static func split(_ path: String) -> (folder: String, file: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
    }

    /// Returns the target of a symbolic link, or `nil` if the path does not name a symbolic link.
    private static func target(of path: String) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return }
                count = max(0, readlink(path, start, characters.count))
            }
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    // MARK: Temporary files

    private static let ending = ".strata-new"
    /// The maximum count of bytes of the store's name that a temporary file's name contains; a file name has at most
    /// 255 bytes.
    private static let longestName = 200

    /// The text with which the names of this store's temporary files begin.
    private var beginning: String {
        var start = ""
        for scalar in file.unicodeScalars where start.utf8.count + 4 <= Self.longestName {
            start.unicodeScalars.append(scalar)
        }
        return ".\(start)."
    }

    /// Returns an unused path for a temporary file in the folder of the store.
    func temporaryPath() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return "\(folder)/\(beginning)\(digits)\(Self.ending)"
    }

    /// Returns the paths of all temporary files of this store, whose writers are running or were interrupted.
    func temporaryPaths() -> [String] {
        let names: [String]
        // A process that may write in a folder but not list it leaves temporary files only if it is interrupted.
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
        let beginning = beginning
        return names.filter { name in
            guard name.hasPrefix(beginning), name.hasSuffix(Self.ending) else { return false }
            let digits = name.utf8.dropFirst(beginning.utf8.count).dropLast(Self.ending.utf8.count)
            return (1...16).contains(digits.count)
                && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }.map { "\(folder)/\($0)" }
    }
}
