import Foundation

/// Where a store's file is: the file behind symbolic links, which stay when it is replaced.
struct StoreLocation: Sendable {
    /// The path that was given, for errors.
    let name: String
    /// The file itself.
    let path: String
    /// Its folder.
    let folder: String
    /// Its name in the folder.
    let file: String

    /// How many links lead to a file at most, as in the system's own look-up.
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

    /// Where a symbolic link leads; `nil` for everything else.
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

    // MARK: Beside it

    private static let ending = ".strata-new"
    /// The most bytes of the store's name in that of a file beside it: names have 255 at most.
    private static let longestName = 200

    /// What the names of new files begin with, until they stand in the store's place.
    private var beginning: String {
        var start = ""
        for scalar in file.unicodeScalars where start.utf8.count + 4 <= Self.longestName {
            start.unicodeScalars.append(scalar)
        }
        return ".\(start)."
    }

    /// A path beside the store that nobody has.
    func temporaryPath() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return "\(folder)/\(beginning)\(digits)\(Self.ending)"
    }

    /// The new files beside the store, of writers that are at work or were stopped.
    func temporaryPaths() -> [String] {
        let names: [String]
        // Who may write in a folder and not list it leaves nothing behind but is stopped.
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
