import StrataFiles
import StrataInterchange

/// The kind of file at a path, after symbolic links are resolved.
enum PathKind {
    case nothing
    case file
    case directory

    /// Creates the kind of a path; an unreachable path is ``nothing``.
    init(_ path: String) {
        guard let status = FileStatus(path: path) else {
            // A sheet of a workbook and a file of an archive are read like files.
            self = MemberPath(path) == nil ? .nothing : .file
            return
        }
        self = status.isDirectory ? .directory : .file
    }
}
