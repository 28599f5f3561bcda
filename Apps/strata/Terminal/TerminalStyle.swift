/// The colors that an output can show.
enum TerminalStyle: Sendable, Hashable {
    /// No escape sequences.
    case plain
    /// Bold and dim text.
    case basic
    /// Bold and dim text, and the 256 colors of xterm.
    case indexed
    /// 24-bit colors.
    case direct

    /// The values of the option `--color`.
    enum ColorMode: String, Sendable, Hashable, CaseIterable {
        /// Colors on a terminal that supports them.
        case auto
        /// Colors also in a pipe, as for `less -R`.
        case always
        /// No colors.
        case never
    }

    /// The option of commands whose output has colors.
    static let option = OptionSpecification.option(
        "color", placeholder: "WHEN",
        help: "Use colors: auto, always or never (default: auto).",
        details: "With auto, the output has colors on a terminal, unless NO_COLOR is set or TERM is dumb.",
        values: .words(ColorMode.allCases.map(\.rawValue)))

    /// Creates the style from the option, the kind of output, and the variables `NO_COLOR`, `TERM` and `COLORTERM`.
    init(_ wish: ColorMode, isTerminal: Bool, environment: [String: String]) {
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

    /// Returns a text in bold.
    func bold(_ text: String) -> String { self == .plain ? text : "\u{1B}[1m\(text)\u{1B}[0m" }

    /// Returns a dimmed text.
    func dim(_ text: String) -> String { self == .plain ? text : "\u{1B}[2m\(text)\u{1B}[0m" }

    /// The number of columns of a swatch and the space after it, or 0 if colors cannot be shown.
    var swatchWidth: Int { self == .indexed || self == .direct ? 3 : 0 }

    /// Returns a swatch of two columns, followed by a space.
    func swatch(_ color: RGB) -> String {
        switch self {
        case .plain, .basic: ""
        case .indexed: "\u{1B}[48;5;\(color.index)m  \u{1B}[0m "
        case .direct: "\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m  \u{1B}[0m "
        }
    }
}
