/// The version of the tool and of its libraries.
enum Version {
    /// As `--version` prints it.
    static let number = "0.1.0"

    /// The day of the version, for the manual: not that of the build, so that the same sources give the same bytes.
    static let date = "2026-11-21"
}
