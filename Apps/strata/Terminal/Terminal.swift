/// The terminal behind standard output.
enum Terminal {
    /// What terminals had, and what is taken where nobody says how wide one is.
    private static let usualWidth = 80

    /// The variables that say what a terminal can.
    ///
    /// Foundation's `ProcessInfo` has them as well, and would bring all of Foundation into the tool.
    static var environment: [String: String] {
        var values: [String: String] = [:]
        for name in ["COLUMNS", "NO_COLOR", "TERM", "COLORTERM"] {
            if let value = getenv(name) { values[name] = String(cString: value) }
        }
        return values
    }

    /// Whether standard output is a terminal.
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Its width: what `COLUMNS` says, or the terminal itself.
    static func width(_ environment: [String: String]) -> Int {
        if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
        var size = winsize()
        let found = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        return found == 0 && size.ws_col > 0 ? Int(size.ws_col) : usualWidth
    }
}
