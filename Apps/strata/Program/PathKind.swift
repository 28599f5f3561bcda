import StrataFiles

/// The kind of file at a path, after symbolic links are resolved.
enum PathKind {
    case nothing
    case file
    case directory

    /// Creates the kind of a path; an unreachable path is ``nothing``.
    init(_ path: String) {
        guard let status = FileStatus(path: path) else {
            self = .nothing
            return
        }
        self = status.isDirectory ? .directory : .file
    }
}
