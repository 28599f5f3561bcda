/// An expression of Swift code that is laid out in lines.
///
/// The layout is that of swift-format with this repository's configuration: an expression is on one line if it fits.
/// Otherwise the arguments of a call continue on lines of their own, as many on a line as fit.
indirect enum SwiftExpression: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// The maximum length of a line.
    static let width = 120

    /// A text on one line.
    case text(String)
    /// A call of a function with arguments in parentheses.
    case call(String, [SwiftExpression])
    /// An array literal.
    case array([SwiftExpression])
    /// An argument with a label.
    case labeled(String, SwiftExpression)
    /// A call, followed by calls of its result's methods.
    case chain(SwiftExpression, [SwiftExpression])

    init(stringLiteral text: String) { self = .text(text) }

    /// The expression on one line.
    var flat: String {
        switch self {
        case .text(let text): text
        case .call(let name, let arguments): "\(name)(\(arguments.map(\.flat).joined(separator: ", ")))"
        case .array(let elements): "[\(elements.map(\.flat).joined(separator: ", "))]"
        case .labeled(let label, let value): "\(label): \(value.flat)"
        case .chain(let first, let calls): first.flat + calls.map(\.flat).joined()
        }
    }

    /// Returns the lines of the expression.
    ///
    /// - Parameters:
    ///   - indent: The number of spaces before the first line.
    ///   - head: The text before the expression on its first line.
    ///   - tail: The text after the expression on its last line.
    /// - Returns: The lines with their indentation.
    func lines(indent: Int, head: String = "", tail: String = "") -> [String] {
        let space = String(repeating: " ", count: indent)
        let line = space + head + flat + tail
        if line.count <= Self.width { return [line] }
        switch self {
        case .text: return [line]
        case .labeled(let label, let value):
            return value.lines(indent: indent, head: "\(head)\(label): ", tail: tail)
        case .call(let name, let arguments):
            guard !arguments.isEmpty else { return [line] }
            return [space + head + name + "("] + Self.filled(arguments, indent: indent + 4, tail: ")" + tail)
        case .array(let elements):
            guard !elements.isEmpty else { return [line] }
            return [space + head + "["] + Self.filled(elements, indent: indent + 4, tail: elements.count > 1 ? "," : "")
                + [space + "]" + tail]
        case .chain(let first, let calls):
            var lines = first.lines(indent: indent, head: head)
            var callIndent = indent + 4
            if lines.count > 1, let last = lines.popLast() {
                // The parenthesis of a call on several lines begins a line, and the next calls are below it.
                lines += [String(last.dropLast()), space + ")"]
                callIndent = indent
            }
            for (index, call) in calls.enumerated() {
                lines += call.lines(indent: callIndent, tail: index == calls.count - 1 ? tail : "")
            }
            return lines
        }
    }

    /// Returns the lines of a list, as many elements on a line as fit.
    static func filled(_ elements: [SwiftExpression], indent: Int, tail: String) -> [String] {
        let space = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for (index, element) in elements.enumerated() {
            let end = index == elements.count - 1 ? tail : ","
            let text = element.flat + end
            if !line.isEmpty, indent + line.count + 1 + text.count <= width {
                line += " " + text
                continue
            }
            if !line.isEmpty { lines.append(space + line) }
            line = text
            if indent + text.count > width {
                lines += element.lines(indent: indent, tail: end)
                line = ""
            }
        }
        return line.isEmpty ? lines : lines + [space + line]
    }
}
