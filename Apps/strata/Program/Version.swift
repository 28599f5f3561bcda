/// The version of the tool and of its libraries.
enum Version {
    /// The version number that `--version` prints.
    static let number = "0.1.0"

    /// The date of the version for the manual.
    ///
    /// It is not the date of the build, so that the same sources produce the same bytes.
    static let date = "2026-11-21"
}
