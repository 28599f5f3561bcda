import CStrataSQLite

/// A version of SQLite.
struct SQLiteVersion: Comparable, CustomStringConvertible {
    var major: Int32
    var minor: Int32
    var patch: Int32

    init(_ major: Int32, _ minor: Int32, _ patch: Int32) {
        (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    /// The version of the library in this process.
    static var current: SQLiteVersion {
        let number = sqlite3_libversion_number()
        return SQLiteVersion(number / 1_000_000, number / 1_000 % 1_000, number % 1_000)
    }

    /// The minimum version, which introduced STRICT tables.
    static let minimum = SQLiteVersion(3, 37, 0)

    /// A Boolean value that indicates whether a checkpoint can skip pages of a commit that restarts the log meanwhile.
    ///
    /// See "The WAL-reset bug" on sqlite.org/wal.html.
    var hasCheckpointRace: Bool {
        let isRepaired = (minor == 44 && patch >= 6) || (minor == 50 && patch >= 7)
        return self >= SQLiteVersion(3, 7, 0) && self < SQLiteVersion(3, 51, 3) && !isRepaired
    }

    /// The risks of stores that this version opens, with a sentence for each.
    var warnings: [String] {
        guard hasCheckpointRace else { return [] }
        return [
            "\(self) can lose committed pages if another program runs a checkpoint while this store commits "
                + "(sqlite.org/wal.html#walresetbug); let only Strata write the file, or upgrade SQLite to 3.51.3, "
                + "3.50.7 or 3.44.6"
        ]
    }

    var description: String { "SQLite \(major).\(minor).\(patch)" }

    static func < (left: SQLiteVersion, right: SQLiteVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}
