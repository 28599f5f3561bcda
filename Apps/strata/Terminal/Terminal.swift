/// The terminal connected to standard output.
enum Terminal {
    /// The default width, which was the width of early terminals, if the width is unknown.
    private static let usualWidth = 80

    /// The environment variables that describe the terminal.
    ///
    /// Foundation's `ProcessInfo` provides them too, but would link all of Foundation into the tool.
    static var environment: [String: String] {
        var values: [String: String] = [:]
        for name in ["COLUMNS", "NO_COLOR", "TERM", "COLORTERM"] {
            if let value = getenv(name) { values[name] = String(cString: value) }
        }
        return values
    }

    /// A Boolean value that indicates whether standard output is a terminal.
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Returns the width of the terminal in columns: the value of `COLUMNS`, or else the terminal's own value.
    static func width(_ environment: [String: String]) -> Int {
        if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
        var size = winsize()
        let found = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        return found == 0 && size.ws_col > 0 ? Int(size.ws_col) : usualWidth
    }
}
