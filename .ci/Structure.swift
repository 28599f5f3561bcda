import Foundation
import SwiftParser
import SwiftSyntax

// Checks the structure of Modules and Apps with the parser of the toolchain.
//
// 1. A folder uses only the folders to its left in its line of .ci/layers.txt. It uses another folder if its code
//    contains the name of a type that only the other folder declares at the top level of a file.
// 2. Less than 2 % of the functions and initializers have three or more unlabeled parameters, whose meaning is not
//    visible at the call.
//
// Usage: structure [--list]    in the folder of the package; --list prints the functions of the second rule

/// The parts of a file that the checks need.
struct Source {
    /// The components of the path.
    let path: [String]
    /// The types at the top level that other files can use.
    var types: Set<String> = []
    /// The first line of each capitalized name in the code.
    var names: [String: Int] = [:]

    /// Returns the child of an ancestor folder that contains the file: a folder, or "." for a file directly in it.
    func child(of folder: [String]) -> String? {
        guard path.starts(with: folder) else { return nil }
        return path.count == folder.count + 1 ? "." : path[folder.count]
    }
}

/// A visitor that counts functions by their unlabeled parameters.
final class FunctionCounter: SyntaxVisitor {
    var count = 0
    var unlabeled: [String] = []

    private func add(_ name: String, _ parameters: FunctionParameterListSyntax) -> SyntaxVisitorContinueKind {
        count += 1
        if parameters.count(where: { $0.firstName.tokenKind == .wildcard }) >= 3 {
            unlabeled.append("\(name)(\(parameters.trimmedDescription))")
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if case .identifier(let name) = node.name.tokenKind {
            return add(name, node.signature.parameterClause.parameters)
        }
        return .visitChildren
    }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        add("init", node.signature.parameterClause.parameters)
    }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        add("subscript", node.parameterClause.parameters)
    }
}

/// Returns the names of the types that the statements declare and other files can use.
func types(in statements: CodeBlockItemListSyntax) -> [String] {
    statements.flatMap { statement -> [String] in
        if let condition = statement.item.as(IfConfigDeclSyntax.self) {
            return condition.clauses.flatMap { clause -> [String] in
                if case .statements(let inner) = clause.elements { return types(in: inner) }
                return []
            }
        }
        guard let declaration = statement.item.asProtocol((any NamedDeclSyntax).self),
            let modifiers = statement.item.asProtocol((any WithModifiersSyntax).self)?.modifiers,
            !statement.item.is(FunctionDeclSyntax.self),
            !modifiers.contains(where: { ["private", "fileprivate"].contains($0.name.text) })
        else { return [] }
        return [declaration.name.text]
    }
}

/// The order of the children of a folder: the position of each child's group.
struct Order {
    let folder: [String]
    let text: String
    var positions: [String: Int] = [:]

    init(line: Substring) {
        let parts = line.components(separatedBy: ": ")
        (folder, text) = (parts[0].components(separatedBy: "/"), parts.dropFirst().joined())
        for (position, group) in text.components(separatedBy: "<").enumerated() {
            for name in group.components(separatedBy: ",") {
                positions[name.trimmingCharacters(in: .whitespaces)] = position
            }
        }
    }
}

func fail(_ finding: String) {
    print(finding)
    findingCount += 1
}

var findingCount = 0
var sources: [Source] = []
var (functionCount, unlabeledCount) = (0, 0)
let paths = ["Modules", "Apps"].flatMap { root in
    (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []).map { "\(root)/\($0)" }
}
for path in paths.sorted() where path.hasSuffix(".swift") {
    let tree = Parser.parse(source: try String(contentsOfFile: path, encoding: .utf8))
    let lines = SourceLocationConverter(fileName: path, tree: tree)
    var source = Source(path: path.components(separatedBy: "/"))
    source.types = Set(types(in: tree.statements))
    for token in tree.tokens(viewMode: .sourceAccurate) {
        guard case .identifier(let name) = token.tokenKind, name.first?.isUppercase == true, source.names[name] == nil
        else {
            continue
        }
        source.names[name] = token.startLocation(converter: lines).line
    }
    sources.append(source)

    let functions = FunctionCounter(viewMode: .sourceAccurate)
    functions.walk(tree)
    (functionCount, unlabeledCount) = (functionCount + functions.count, unlabeledCount + functions.unlabeled.count)
    if CommandLine.arguments.contains("--list") {
        for function in functions.unlabeled { print("\(path): \(function)") }
    }
}

let layers = try String(contentsOfFile: ".ci/layers.txt", encoding: .utf8).split(separator: "\n")
let orders = layers.filter { !$0.hasPrefix("#") }.map(Order.init)
for order in orders {
    let inside = sources.filter { $0.path.starts(with: order.folder) }
    let children = Set(inside.compactMap { $0.child(of: order.folder) })
    let folder = order.folder.joined(separator: "/")
    for name in children.symmetricDifference(order.positions.keys).sorted() {
        fail("\(folder): \(name) is \(children.contains(name) ? "missing from" : "only in") the order \(order.text)")
    }
    // The child that declares a type; nil if several children declare it.
    var homes: [String: String?] = [:]
    for source in inside {
        guard let child = source.child(of: order.folder) else { continue }
        for type in source.types { homes[type] = homes[type].map { $0 == child ? child : nil } ?? child }
    }
    for source in inside {
        guard let from = source.child(of: order.folder), let position = order.positions[from] else { continue }
        for (name, line) in source.names {
            guard case .some(.some(let to)) = homes[name], to != from, let other = order.positions[to],
                other >= position
            else { continue }
            fail("\(source.path.joined(separator: "/")):\(line): \(from) must not use \(name) of \(to) (\(order.text))")
        }
    }
}
// A folder with subfolders needs a line, except the parents of modules.
let needed = Set(
    sources.flatMap { source in
        (2..<max(2, source.path.count - 1)).map { source.path.prefix($0).joined(separator: "/") }
    })
for folder in needed.subtracting(orders.map { $0.folder.joined(separator: "/") }).sorted() {
    fail("\(folder): .ci/layers.txt has no order of its folders")
}

print("structure: \(unlabeledCount) of \(functionCount) functions have three or more unlabeled parameters")
if 50 * unlabeledCount >= functionCount { fail("structure: 2 % or more of the functions have three or more of them") }
exit(findingCount == 0 ? 0 : 1)
