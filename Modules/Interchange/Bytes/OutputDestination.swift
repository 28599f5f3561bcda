#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The kind of file to which an output path refers.
enum OutputDestination {
    /// A file that is not regular, such as a FIFO, which is opened and written directly.
    case direct

    /// An open descriptor of this process, such as that of `/dev/stdout`.
    ///
    /// The descriptor is duplicated. Opening the path again would write from the beginning of a redirected file.
    case descriptor(Int32)

    /// A regular file that is to be created or replaced, with the permission bits of an existing file.
    case nextTo(target: String, permissions: mode_t?)

    /// The maximum count of symbolic links that Linux follows in one path.
    private static let maximumLinks = 40

    /// Creates the destination to which a path refers after following symbolic links, including dangling ones.
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

    /// Returns the path after following the symbolic links of its last component.
    ///
    /// Symbolic links in the folders of the path need no resolution.
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
