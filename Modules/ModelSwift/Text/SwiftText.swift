/// The text of Swift code, which is built line by line.
struct SwiftText {
    private(set) var lines: [String] = []
    private var depth = 0

    /// The number of spaces before a line.
    var indent: Int { depth * 4 }

    /// Adds a line at the current indentation; an empty text adds an empty line.
    mutating func add(_ line: String = "") {
        lines.append(line.isEmpty ? "" : String(repeating: " ", count: indent) + line)
    }

    /// Adds an expression with a text before and a text after it.
    mutating func add(_ expression: SwiftExpression, head: String = "", tail: String = "") {
        lines += expression.lines(indent: indent, head: head, tail: tail)
    }

    /// Adds the elements of a list, as many on a line as fit.
    mutating func add(filled elements: [SwiftExpression]) {
        lines += SwiftExpression.filled(elements, indent: indent, tail: "")
    }

    /// Adds a variable with its type, which is on a line of its own if both do not fit on one line.
    mutating func add(variable: String, _ type: String) {
        guard indent + variable.count + 1 + type.count > SwiftExpression.width else {
            return add("\(variable) \(type)")
        }
        add(variable)
        nested { $0.add(type) }
    }

    /// Adds a documentation comment, wrapped at the width of lines.
    mutating func comment(_ text: String) {
        for line in SwiftLiteral.comment(text) {
            // The indentation of a list remains.
            var rest = String(line.prefix { $0 == " " })
            for word in line.split(separator: " ") {
                if !rest.isEmpty, indent + 4 + rest.count + word.count > SwiftExpression.width {
                    add("///\(rest)")
                    rest = ""
                }
                rest += " " + word
            }
            add("///\(rest)")
        }
    }

    /// Adds a declaration with a body in braces.
    mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        add(head + " {")
        let first = lines.count
        nested(body)
        // Each member begins with an empty line; the first one needs none.
        if lines.indices.contains(first), lines[first].isEmpty { lines.remove(at: first) }
        add("}")
    }

    /// Adds a function or an initializer, whose parameters are on lines of their own if they do not fit on one line.
    ///
    /// - Parameters:
    ///   - head: The text before the parameters, such as `public init`.
    ///   - parameters: The parameters.
    ///   - tail: The text after the parameters, such as `async throws -> Int`.
    ///   - body: The body; `nil` for a requirement of a protocol.
    mutating func function(
        _ head: String, _ parameters: [String], _ tail: String = "", _ body: ((inout SwiftText) -> Void)? = nil
    ) {
        let end = (tail.isEmpty ? "" : " \(tail)") + (body == nil ? "" : " {")
        let line = "\(head)(\(parameters.joined(separator: ", ")))\(end)"
        if indent + line.count <= SwiftExpression.width {
            add(line)
        } else {
            add("\(head)(")
            nested { $0.add(filled: parameters.map { .text($0) }) }
            add(")\(end)")
        }
        if let body {
            nested(body)
            add("}")
        }
    }

    /// Adds lines with a greater indentation.
    mutating func nested(_ body: (inout SwiftText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }
}
