#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a path for output stands for.
enum OutputDestination {
    /// Something that is no regular file: opened and written straight into.
    case direct

    /// A descriptor of this process, such as `/dev/stdout`: duplicated, because opening it anew would start at the
    /// beginning of the file that it may stand for.
    case descriptor(Int32)

    /// A regular file, or none yet; with the permission bits to be kept.
    case beside(target: String, permissions: mode_t?)

    /// As many links as Linux follows.
    private static let maximumLinks = 40

    /// Looks the path up, following symbolic links, also one that leads nowhere yet.
    init(path: String) throws(InterchangeError) {
        if let number = Self.descriptor(namedBy: path) {
            self = .descriptor(number)
            return
        }
        var status = stat()
        if stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                self = .beside(target: try Self.resolve(path), permissions: status.st_mode & 0o7777)
            case S_IFDIR:
                throw InterchangeError.creation(of: path, failedWith: EISDIR)
            default:
                self = .direct
            }
            return
        }
        guard errno == ENOENT else { throw InterchangeError.creation(of: path, failedWith: errno) }
        guard !path.hasSuffix("/") else { throw InterchangeError.creation(of: path, failedWith: EISDIR) }
        self = .beside(target: try Self.resolve(path), permissions: nil)
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

    /// Follows the links of the last part of the path; those of directories need no following.
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

    /// Where a symbolic link leads; nil when the path is none.
    private static func readLink(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
