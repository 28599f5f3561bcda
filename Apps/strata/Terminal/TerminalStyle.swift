/// Which colours an output shows.
enum TerminalStyle: Sendable, Hashable {
    /// No escapes at all.
    case plain
    /// Bold and dim.
    case basic
    /// The 256 colours of xterm as well.
    case indexed
    /// 24-bit colours.
    case direct

    /// What a person asks for with `--color`.
    enum Wish: String, Sendable, Hashable, CaseIterable {
        /// Colours on a terminal that has them.
        case auto
        /// Colours in a pipe too, as for `less -R`.
        case always
        /// None.
        case never
    }

    /// The option of commands whose output has colours.
    static let option = OptionSpecification.option(
        "color", placeholder: "WHEN",
        help: "auto, always or never; auto, unless given, is on a terminal, but where NO_COLOR is set or TERM is dumb.",
        values: .words(Wish.allCases.map(\.rawValue)))

    /// Decides by the wish, by what the output is, and by the environment: `NO_COLOR`, `TERM` and `COLORTERM`.
    init(_ wish: Wish, isTerminal: Bool, environment: [String: String]) {
        let terminal = environment["TERM"] ?? ""
        let hasNone = terminal.isEmpty || terminal == "dumb" || !(environment["NO_COLOR"] ?? "").isEmpty
        if wish == .never || (wish == .auto && (!isTerminal || hasNone)) {
            self = .plain
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased()) {
            self = .direct
        } else if terminal.contains("direct") {
            self = .direct
        } else if terminal.contains("256") {
            self = .indexed
        } else {
            self = .basic
        }
    }

    /// A text in bold.
    func bold(_ text: String) -> String { self == .plain ? text : "\u{1B}[1m\(text)\u{1B}[0m" }

    /// A text that stands back.
    func dim(_ text: String) -> String { self == .plain ? text : "\u{1B}[2m\(text)\u{1B}[0m" }

    /// How many columns a swatch takes, with the space behind it; none where it cannot be shown.
    var swatchWidth: Int { self == .indexed || self == .direct ? 3 : 0 }

    /// Two columns of a colour and a space.
    func swatch(_ color: RGB) -> String {
        switch self {
        case .plain, .basic: ""
        case .indexed: "\u{1B}[48;5;\(color.index)m  \u{1B}[0m "
        case .direct: "\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m  \u{1B}[0m "
        }
    }
}

/// A colour as terminals take it.
struct RGB: Sendable, Hashable {
    let red: Int
    let green: Int
    let blue: Int

    /// The colour that `#RRGGBB` is, or nil.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 7, bytes[0] == UInt8(ascii: "#"), bytes[1] != UInt8(ascii: "+"),
            bytes[1] != UInt8(ascii: "-"), let number = Int(text.dropFirst(), radix: 16)
        else { return nil }
        (red, green, blue) = (number >> 16, number >> 8 & 255, number & 255)
    }

    /// The nearest of xterm's 256 colours: of its cube of 6 by 6 by 6, or of its greys.
    var index: Int {
        let levels = [0, 95, 135, 175, 215, 255]
        func nearest(_ value: Int) -> Int {
            levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
        }
        func distance(red: Int, green: Int, blue: Int) -> Int {
            let parts = [red - self.red, green - self.green, blue - self.blue]
            return parts.reduce(0) { $0 + $1 * $1 }
        }
        let cube = (nearest(red), nearest(green), nearest(blue))
        let grey = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
        let greyLevel = 8 + 10 * grey
        let isGrey =
            distance(red: greyLevel, green: greyLevel, blue: greyLevel)
            < distance(red: levels[cube.0], green: levels[cube.1], blue: levels[cube.2])
        return isGrey ? 232 + grey : 16 + 36 * cube.0 + 6 * cube.1 + cube.2
    }
}

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
