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
