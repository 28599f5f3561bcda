import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

// Puts random changes of one operator or one statement into a module's sources, each behind a switch, and lists them.
//
// Usage: mutator SOURCES SEED COUNT AVOIDED
//   SOURCES  the folder of the module's sources, which are changed in place
//   AVOIDED  a file of places, FILE:LINE:COLUMN a line, that are left alone: what did not compile there before
// Prints one line a change: NUMBER, FILE:LINE:COLUMN, what was changed; separated by tabs.

/// A change that can be made: in the text of a file, a range and what takes its place.
struct Candidate {
    let file: String
    let line: Int
    let column: Int
    let range: Range<Int>
    let description: String
    /// The text in its place, given the condition under which the change is made.
    let replacement: (_ isOn: String) -> String

    var place: String { "\(file):\(line):\(column)" }
}

/// Finds what can be changed in a file.
final class Finder: SyntaxVisitor {
    private static let operators = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
        "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "<<": ">>", ">>": "<<", "&": "|",
        "|": "&",
    ]
    private static let assignments = ["+=": "-=", "-=": "+=", "*=": "+=", "&+=": "&-=", "&-=": "&+="]
    /// Calls without which nothing compiles, or that say that nothing comes after them.
    private static let kept = ["super.", "self.init", "fatalError", "preconditionFailure", "precondition", "assert"]

    private let file: String
    private let converter: SourceLocationConverter
    private(set) var candidates: [Candidate] = []

    init(_ file: String, _ tree: Syntax) {
        self.file = file
        converter = SourceLocationConverter(fileName: file, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    private func add(
        _ node: some SyntaxProtocol, _ description: String, _ replacement: @escaping (_ isOn: String) -> String
    ) {
        let start = node.positionAfterSkippingLeadingTrivia
        let place = converter.location(for: start)
        candidates.append(
            Candidate(
                file: file, line: place.line, column: place.column,
                range: start.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset, description: description,
                replacement: replacement))
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.operator.trimmedDescription
        let (left, right) = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
        if let other = Self.operators[name] {
            add(node, "\(name) becomes \(other)") {
                "(\($0) ? (\(left) \(other) \(right)) : (\(left) \(name) \(right)))"
            }
        } else if let other = Self.assignments[name], node.parent?.is(CodeBlockItemSyntax.self) == true {
            add(node, "\(name) becomes \(other)") {
                "if \($0) { \(left) \(other) \(right) } else { \(left) \(name) \(right) }"
            }
        }
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.text == "!" {
            let operand = node.expression.trimmedDescription
            add(node, "! goes") { "(\($0) ? \(operand) : !\(operand))" }
        }
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let (text, other) = node.literal.text == "true" ? ("true", "false") : ("false", "true")
        add(node, "\(text) becomes \(other)") { "(\($0) ? \(other) : \(text))" }
        return .skipChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        // The only statement of a block may be its value.
        let isAlone = (node.parent?.as(CodeBlockItemListSyntax.self)?.count ?? 0) == 1
        let isInClosure = node.parent?.parent?.is(ClosureExprSyntax.self) == true
        let isValue =
            isAlone
            && (isInClosure || node.parent?.parent?.parent?.is(FunctionDeclSyntax.self) == true
                || node.parent?.parent?.is(AccessorBlockSyntax.self) == true)
        guard !isValue, case .expr(let expression) = node.item, isRemovable(expression) else { return .visitChildren }
        let text = node.trimmedDescription
        guard !Self.kept.contains(where: { text.contains($0) }) else { return .visitChildren }
        add(node, "statement goes") { "if !\($0) { \(text) }" }
        return .visitChildren
    }

    /// A call or an assignment, perhaps behind `try` or `await`.
    private func isRemovable(_ expression: ExprSyntax) -> Bool {
        if let attempt = expression.as(TryExprSyntax.self) { return isRemovable(attempt.expression) }
        if let wait = expression.as(AwaitExprSyntax.self) { return isRemovable(wait.expression) }
        if let infix = expression.as(InfixOperatorExprSyntax.self) {
            return infix.operator.is(AssignmentExprSyntax.self)
                && !infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
        }
        return expression.is(FunctionCallExprSyntax.self)
    }

    // What is constant, is given by default or names a case, is no code that runs.
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: FunctionParameterClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

@main
struct Mutator {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else {
            FileHandle.standardError.write(Data("usage: mutator SOURCES SEED COUNT AVOIDED\n".utf8))
            exit(64)
        }
        let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
        let avoided = Set(
            try String(contentsOfFile: arguments[4], encoding: .utf8).split(separator: "\n").map(String.init))
        var texts: [String: [UInt8]] = [:]
        var candidates: [Candidate] = []
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for name in names.filter({ $0.hasSuffix(".swift") }).sorted() {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            texts[name] = Array(text.utf8)
            let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }
            let finder = Finder(name, tree)
            finder.walk(tree)
            candidates += finder.candidates
        }
        var generator = SeededGenerator(seed: seed)
        candidates.shuffle(using: &generator)
        var chosen: [Candidate] = []
        for candidate in candidates where chosen.count < count && !avoided.contains(candidate.place) {
            let isFree = chosen.allSatisfy { $0.file != candidate.file || !$0.range.overlaps(candidate.range) }
            if isFree { chosen.append(candidate) }
        }
        for (name, text) in texts {
            let changes = chosen.enumerated().filter { $0.element.file == name }
            if changes.isEmpty { continue }
            var text = text
            for (number, change) in changes.sorted(by: { $0.element.range.lowerBound > $1.element.range.lowerBound }) {
                text.replaceSubrange(change.range, with: Array(change.replacement("mutantIsOn(\(number + 1))").utf8))
            }
            try Data(text).write(to: folder.appendingPathComponent(name))
        }
        for (number, change) in chosen.enumerated() { print("\(number + 1)\t\(change.place)\t\(change.description)") }
    }
}
