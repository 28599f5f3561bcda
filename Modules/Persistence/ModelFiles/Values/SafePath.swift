/// Paths that a descriptor may name.
///
/// The standard has only such as lie beside or below the descriptor, since who sends a descriptor is not to read other files with it.
enum SafePath {
    /// Why a path is none that is read; `nil` where it is one.
    static func refusal(of path: String) -> String? {
        if path.firstRange(of: "://") != nil {
            return "“\(path)” is remote, which is not fetched; download it and name the file"
        }
        let steps = plain(path).split(separator: "/", omittingEmptySubsequences: false)
        let isSafe =
            !path.isEmpty && !path.utf8.contains { $0 == UInt8(ascii: "\\") || $0 < 0x20 }
            && !path.lowercased().hasPrefix("file:")
            && steps.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasPrefix("~") }
        return isSafe
            ? nil : "“\(path)” is no path below the descriptor's directory; hidden files, “..” and “~” are none either"
    }

    /// The path without a beginning that only says that it is relative.
    static func plain(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }
}
