/// The paths that a descriptor may contain.
///
/// The Data Package standard allows only paths in the directory of the descriptor and below it. Otherwise the author of
/// a descriptor could make a reader read other files.
enum SafePath {
    /// Returns the reason why a path is rejected, or `nil` if it is allowed.
    ///
    /// The check is only textual. A caller that opens the file must also check that no symbolic link leaves the
    /// directory.
    ///
    /// - Parameter path: The path, as the descriptor contains it.
    /// - Returns: The reason, for the author of the descriptor.
    static func refusal(of path: String) -> String? {
        if path.firstRange(of: "://") != nil {
            return "“\(path)” is a remote file, which is not fetched; download the file and name the copy"
        }
        let steps = plain(path).split(separator: "/", omittingEmptySubsequences: false)
        let isSafe =
            !path.isEmpty && !path.utf8.contains { $0 == UInt8(ascii: "\\") || $0 < 0x20 }
            && !path.lowercased().hasPrefix("file:")
            && steps.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasPrefix("~") }
        return isSafe
            ? nil : "“\(path)” must be a path below the descriptor's directory, without hidden files, “..” and “~”"
    }

    /// Returns a path without `./` at its beginning.
    static func plain(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }
}
