import Foundation

/// What there is at a path, symbolic links followed.
enum PathKind {
    case nothing
    case file
    case directory

    /// Looks at a path; what cannot be reached is ``nothing``.
    init(_ path: String) {
        #if canImport(Darwin)
        var isDirectory: ObjCBool = false
        #else
        // A `Bool` is all that the Essentials part of Foundation needs; with `ObjCBool` the tool would load the rest, and ICU, at
        // every start.
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
