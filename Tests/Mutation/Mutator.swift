import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

// Puts random changes of one operator or one statement into copies of modules' sources, each behind a switch, and lists them.
//
// Usage: mutator FROM TO COUNT AVOIDED SEEDS FOLDER...
//   FROM, TO  the sources and their copy, of which a file is written only where it differs, so that a build has little to do
//   COUNT     how many changes each of the SEEDS, separated by spaces, makes in each module
//   AVOIDED   a file of numbers of changes, one a line, that are left alone: what did not compile before
//   FOLDER    a module's folder below FROM and TO
// Prints one line for each seed's change: SEED, NUMBER, FILE:LINE:COLUMN, what was changed; separated by tabs. The number of a
// change is the same whatever else is changed.

/// A change that can be made: in the text of a file, a range and what takes its place.
struct Candidate {
    var number = 0
    let file: String
    let line: Int
    let column: Int
    let range: Range<Int>
    let description: String
    /// The text in its place, given the condition under which the change is made and the text without it.
    let replacement: (_ isOn: String, _ text: String) -> String

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
            add(node, "! goes") { "(\($0) ? \(operand) : \($1))" }
        }
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let (text, other) = node.literal.text == "true" ? ("true", "false") : ("false", "true")
        add(node, "\(text) becomes \(other)") { "(\($0) ? \(other) : \($1))" }
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
        add(node, "statement goes") { "if !\($0) { \($1) }" }
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

/// The sources of a module, and what can be changed in them.
struct Module {
    private(set) var texts: [String: [UInt8]] = [:]
    private(set) var candidates: [Candidate] = []

    /// Reads a folder; its changes get the numbers behind one.
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

    /// What a seed changes: no two changes touch each other.
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

    /// The text of a file, or of a range of it, with changes, of which one may stand within another.
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
