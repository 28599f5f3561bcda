import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

// Inserts random changes of one operator or statement into copies of modules' sources, each behind a switch, and lists
// them.
//
// Usage: mutator FROM TO COUNT AVOIDED SEEDS FOLDER...
//   FROM, TO  the sources and their copy, in which only different files are written, so that a build has little to do
//   COUNT     the count of changes that each of the space-separated SEEDS makes in each module
//   AVOIDED   a file with the number of an unused change per line: those that did not compile before
//   FOLDER    a module's folder in FROM and TO
// Prints one tab-separated line for each seed's change: SEED, NUMBER, FILE:LINE:COLUMN, description. The number of a
// change does not depend on other changes.

/// A possible change: a range of a file's text and its replacement.
struct Candidate {
    var number = 0
    let file: String
    let line: Int
    let column: Int
    let range: Range<Int>
    let description: String
    /// Returns the replacement for the condition under which the change is active and the original text.
    let replacement: (_ isOn: String, _ text: String) -> String

    var place: String { "\(file):\(line):\(column)" }
}

/// A visitor that finds the possible changes of a file.
final class Finder: SyntaxVisitor {
    private static let operators = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
        "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "<<": ">>", ">>": "<<", "&": "|",
        "|": "&",
    ]
    private static let assignments = ["+=": "-=", "-=": "+=", "*=": "+=", "&+=": "&-=", "&-=": "&+="]
    /// Calls that the compiler requires, or after which execution does not continue.
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
        _ node: some SyntaxProtocol, _ description: String,
        _ replacement: @escaping (_ isOn: String, _ text: String) -> String
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
                "(\($0) ? (\(left) \(other) \(right)) : (\($1)))"
            }
        } else if let other = Self.assignments[name], node.parent?.is(CodeBlockItemSyntax.self) == true {
            add(node, "\(name) becomes \(other)") {
                "if \($0) { \(left) \(other) \(right) } else { \($1) }"
            }
        }
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.text == "!" {
            let operand = node.expression.trimmedDescription
            add(node, "! is removed") { "(\($0) ? \(operand) : \($1))" }
        }
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let (text, other) = node.literal.text == "true" ? ("true", "false") : ("false", "true")
        add(node, "\(text) becomes \(other)") { "(\($0) ? \(other) : \($1))" }
        return .skipChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        // A single statement of a block may be its value.
        let isAlone = (node.parent?.as(CodeBlockItemListSyntax.self)?.count ?? 0) == 1
        let isInClosure = node.parent?.parent?.is(ClosureExprSyntax.self) == true
        let isValue =
            isAlone
            && (isInClosure || node.parent?.parent?.parent?.is(FunctionDeclSyntax.self) == true
                || node.parent?.parent?.is(AccessorBlockSyntax.self) == true)
        guard !isValue, case .expr(let expression) = node.item, isRemovable(expression) else { return .visitChildren }
        let text = node.trimmedDescription
        guard !Self.kept.contains(where: { text.contains($0) }) else { return .visitChildren }
        add(node, "statement is removed") { "if !\($0) { \($1) }" }
        return .visitChildren
    }

    /// Returns a Boolean value that indicates whether an expression is a call or an assignment, possibly with `try` or
    /// `await`.
    private func isRemovable(_ expression: ExprSyntax) -> Bool {
        if let attempt = expression.as(TryExprSyntax.self) { return isRemovable(attempt.expression) }
        if let wait = expression.as(AwaitExprSyntax.self) { return isRemovable(wait.expression) }
        if let infix = expression.as(InfixOperatorExprSyntax.self) {
            return infix.operator.is(AssignmentExprSyntax.self)
                && !infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
        }
        return expression.is(FunctionCallExprSyntax.self)
    }

    // Constants, default values and names of cases are not executed code.
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: FunctionParameterClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

/// The sources of a module and their possible changes.
struct Module {
    private(set) var texts: [String: [UInt8]] = [:]
    private(set) var candidates: [Candidate] = []

    /// Reads a folder and numbers its changes after a given number.
    init(_ folder: String, in root: URL, numbersBehind last: Int) throws {
        let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        for name in (names?.compactMap { $0 as? String } ?? []).filter({ $0.hasSuffix(".swift") }).sorted() {
            let file = "\(folder)/\(name)"
            let text = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
            texts[file] = Array(text.utf8)
            let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }
            let finder = Finder(file, tree)
            finder.walk(tree)
            candidates += finder.candidates
        }
        for index in candidates.indices { candidates[index].number = last + index + 1 }
    }

    /// Returns the changes of a seed, none of which overlap.
    func chosen(seed: UInt64, count: Int, avoiding avoided: Set<Int>) -> [Candidate] {
        var generator = SeededGenerator(seed: seed)
        var chosen: [Candidate] = []
        for candidate in candidates.shuffled(using: &generator)
        where chosen.count < count && !avoided.contains(candidate.number) {
            let isFree = chosen.allSatisfy { $0.file != candidate.file || !$0.range.overlaps(candidate.range) }
            if isFree { chosen.append(candidate) }
        }
        return chosen
    }

    /// Returns the text of a file, or of a range of it, with changes that may be nested.
    func text(of file: String, in range: Range<Int>? = nil, with changes: [Candidate]) -> String {
        guard let bytes = texts[file] else { return "" }
        let range = range ?? 0..<bytes.count
        var result = ""
        var (position, rest) = (range.lowerBound, changes[...])
        while let change = rest.popFirst() {
            let inner = rest.prefix { $0.range.lowerBound < change.range.upperBound }
            rest = rest.dropFirst(inner.count)
            result += String(decoding: bytes[position..<change.range.lowerBound], as: UTF8.self)
            result += change.replacement(
                "mutantIsOn(\(change.number))", text(of: file, in: change.range, with: Array(inner)))
            position = change.range.upperBound
        }
        return result + String(decoding: bytes[position..<range.upperBound], as: UTF8.self)
    }
}

@main
struct Mutator {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 6, let count = Int(arguments[3]) else {
            FileHandle.standardError.write(Data("usage: mutator FROM TO COUNT AVOIDED SEEDS FOLDER...\n".utf8))
            exit(64)
        }
        let (source, copy) = (URL(fileURLWithPath: arguments[1]), URL(fileURLWithPath: arguments[2]))
        let avoided = Set(
            try String(contentsOfFile: arguments[4], encoding: .utf8).split(separator: "\n").compactMap { Int($0) })
        var last = 0
        for folder in arguments[6...] {
            let module = try Module(folder, in: source, numbersBehind: last)
            last += module.candidates.count
            var changes: [Int: Candidate] = [:]
            for seed in arguments[5].split(separator: " ").compactMap({ UInt64($0) }) {
                for change in module.chosen(seed: seed, count: count, avoiding: avoided) {
                    changes[change.number] = change
                    print("\(seed)\t\(change.number)\t\(change.place)\t\(change.description)")
                }
            }
            for file in module.texts.keys {
                let here = changes.values.filter { $0.file == file }.sorted {
                    ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
                }
                let data = Data(module.text(of: file, with: here).utf8)
                let place = copy.appendingPathComponent(file)
                if (try? Data(contentsOf: place)) != data { try data.write(to: place) }
            }
        }
    }
}
