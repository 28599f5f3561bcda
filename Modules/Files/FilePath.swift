import Foundation

/// Functions that split paths and resolve the symbolic links in them.
package enum FilePath {
    /// The maximum count of symbolic links that Linux follows in one path.
    private static let maximumLinks = 40

    private static func lastSlash(_ path: String) -> String.Index? { path.utf8.lastIndex(of: UInt8(ascii: "/")) }

    /// Returns the path of the folder that contains a file.
    package static func folder(of path: String) -> String {
        guard let slash = lastSlash(path) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the name of a file in its folder.
    package static func name(of path: String) -> String {
        lastSlash(path).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Returns a path without symbolic links, or the path itself if no file exists there.
    package static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns the path after following the symbolic links of its last component, including dangling ones.
    ///
    /// - Parameter path: A path. Symbolic links in its folders need no resolution.
    /// - Returns: The path, or `nil` if there are more symbolic links than the system follows.
    package static func followingLinks(_ path: String) -> String? {
        var path = path
        for _ in 0..<maximumLinks {
            guard let link = link(at: path) else { return path }
            path = link.utf8.first == UInt8(ascii: "/") ? link : folder(of: path) + "/" + link
        }
        return nil
    }

    /// Returns the target of a symbolic link, or `nil` if the path does not name a symbolic link.
    private static func link(at path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
