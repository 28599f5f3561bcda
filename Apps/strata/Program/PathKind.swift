import Foundation

/// The kind of file at a path, after symbolic links are resolved.
enum PathKind {
    case nothing
    case file
    case directory

    /// Creates the kind of a path; an unreachable path is ``nothing``.
    init(_ path: String) {
        #if canImport(Darwin)
        var isDirectory: ObjCBool = false
        #else
        // Foundation's Essentials part needs only a `Bool`. With `ObjCBool`, the tool would load the rest of
        // Foundation, and ICU, at every start.
        var isDirectory = false
        #endif
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            self = .nothing
            return
        }
        #if canImport(Darwin)
        self = isDirectory.boolValue ? .directory : .file
        #else
        self = isDirectory ? .directory : .file
        #endif
    }
}
