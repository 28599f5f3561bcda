#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The kind of destination that an output path denotes.
enum OutputDestination {
    /// A destination that is not a regular file: it is opened and written directly.
    case direct

    /// A descriptor of this process, such as `/dev/stdout`.
    ///
    /// The descriptor is duplicated, because opening the path again would start at the beginning of a redirected file.
    case descriptor(Int32)

    /// A regular file that exists or is to be created, with the permission bits to keep.
    case nextTo(target: String, permissions: mode_t?)

    /// The maximum count of links that Linux follows.
    private static let maximumLinks = 40

    /// Creates the destination of a path, following symbolic links, including dangling ones.
    init(path: String) throws(InterchangeError) {
        if let number = Self.descriptor(namedBy: path) {
            self = .descriptor(number)
            return
        }
        var status = stat()
        if stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                self = .nextTo(target: try Self.resolve(path), permissions: status.st_mode & 0o7777)
            case S_IFDIR:
                throw InterchangeError.creation(of: path, failedWith: EISDIR)
            default:
                self = .direct
            }
            return
        }
        guard errno == ENOENT else { throw InterchangeError.creation(of: path, failedWith: errno) }
        guard !path.hasSuffix("/") else { throw InterchangeError.creation(of: path, failedWith: EISDIR) }
        self = .nextTo(target: try Self.resolve(path), permissions: nil)
    }

    private static func descriptor(namedBy path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
            return folder.flatMap { Int32(path.dropFirst($0.count)) }
        }
    }

    /// Returns the path after following the links of its last component; links of directories need no resolution.
    private static func resolve(_ path: String) throws(InterchangeError) -> String {
        var resolved = path
        for _ in 0..<maximumLinks {
            guard let link = readLink(resolved) else { return resolved }
            if link.hasPrefix("/") {
                resolved = link
            } else if let slash = resolved.lastIndex(of: "/") {
                resolved = resolved[...slash] + link
            } else {
                resolved = link
            }
        }
        throw InterchangeError.creation(of: path, failedWith: ELOOP)
    }

    /// Returns the target of a symbolic link; `nil` if the path is not a symbolic link.
    private static func readLink(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
