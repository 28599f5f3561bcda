import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import Testing

/// Random files with dangling references, list elements and join rows, compared with the expected remaining records.
@Suite("Random files with dangling references")
struct RandomLinksTests {
    private struct Node {
        var code: String
        var parent: String?
        var next: [String]

        var text: String { "\(code),\(parent ?? ""),\(next.joined(separator: ";"))\n" }
        var names: [String] { next + (parent.map { [$0] } ?? []) }
    }

    private struct Files {
        var nodes: [Node] = []
        var pairs: [[String]] = []

        /// Creates nodes, some of which refer to missing nodes.
        init(_ count: Int, named prefix: String, besides others: [String], _ random: inout SeededGenerator) {
            var codes = others + (0..<count).map { "\(prefix)\($0)" }
            let made = codes.suffix(count).shuffled(using: &random)
            codes += ["NOPE", "NADA"]
            func code() -> String {
                // Few codes are missing, because otherwise all records would be rejected.
                Int.random(in: 0..<40, using: &random) == 0
                    ? codes[codes.count - 1] : codes[Int.random(in: 0..<codes.count - 2, using: &random)]
            }
            nodes = made.map { made in
                let next = (0..<max(0, Int.random(in: -4..<3, using: &random))).map { _ in code() }
                return Node(
                    code: made, parent: Int.random(in: 0..<4, using: &random) == 0 ? code() : nil,
                    next: next.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
            }
            pairs = Set((0..<count).map { _ in [code(), code()] }).sorted { $0.joined() < $1.joined() }
        }

        var datasets: Datasets {
            [
                ("Node", .csv, "code,parent,next\n" + nodes.map(\.text).joined()),
                ("Node_friends", .csv, "who,whom\n" + pairs.map { "\($0[0]),\($0[1])\n" }.joined()),
            ]
        }

        /// Returns the nodes that remain after all nodes with dangling references are rejected.
        func left(besides others: Set<String>) -> [Node] {
            var left = nodes
            while true {
                let known = others.union(left.map(\.code))
                let next = left.filter { $0.names.allSatisfy(known.contains) }
                if next.count == left.count { return left }
                left = next
            }
        }
    }

    private func text(_ nodes: [Node]) -> String { "code,parent,next\n" + nodes.map(\.text).joined() }

    @Test(
        "an import rejects exactly the records with dangling references, or sets exactly these references to null",
        arguments: Seeds.first(3, of: [3, 20, 60, 2_100]))
    func random(count: Int) throws {
        let seed = UInt64.random(in: 0...9_999)
        var random = SeededGenerator(seed: seed)
        let files = Files(count, named: "n", besides: [], &random)
        let left = files.left(besides: [])
        let codes = Set(left.map(\.code))
        let pairs = files.pairs.filter { $0.allSatisfy(codes.contains) }
        for (container, _) in try containers(try LinkModels.nodes()) {
            let problems = ProblemRecorder()
            let summary = try container.run(files.datasets) {
                problems.attach(&$0)
                $0.onError = .reject
            }
            #expect(try container.exported("Node", .csv) == text(left), "seed \(seed)")
            let rejectedNodes = files.nodes.filter { !codes.contains($0.code) }.map(\.text)
            let missingPairs = files.pairs.filter { !pairs.contains($0) }.map { "\($0[0]),\($0[1])\n" }
            #expect(problems.originals.sorted() == (rejectedNodes + missingPairs).sorted(), "seed \(seed)")
            #expect(summary.files.map(\.counts.inserted) == [left.count, pairs.count], "seed \(seed)")
            #expect(summary.files.map(\.rejected) == [rejectedNodes.count, missingPairs.count], "seed \(seed)")
            #expect(try container.coordinator.store.joins(JoinRequest("Node_friends")).count == pairs.count)
        }
        for (container, _) in try containers(try LinkModels.nodes()) {
            let all = Set(files.nodes.map(\.code))
            let summary = try container.run(files.datasets) { $0.onMissingReference = .null }
            let nulled = files.nodes.map { node in
                Node(
                    code: node.code, parent: node.parent.flatMap { all.contains($0) ? $0 : nil },
                    next: node.next.filter(all.contains))
            }
            #expect(try container.exported("Node", .csv) == text(nulled), "seed \(seed)")
            let dropped = files.nodes.reduce(0) { $0 + $1.next.count { !all.contains($0) } }
            let droppedPairs = files.pairs.count { !$0.allSatisfy(all.contains) }
            #expect(summary.files.map(\.counts.droppedPairs) == [dropped, droppedPairs], "seed \(seed)")
            #expect(summary.files[1].counts.inserted == files.pairs.count - droppedPairs, "seed \(seed)")
        }
    }

    @Test(
        "rejected updates change nothing, and records that refer to rejected new rows are rejected",
        arguments: [4, 30, 200])
    func updates(count: Int) throws {
        let seed = UInt64.random(in: 0...9_999)
        var random = SeededGenerator(seed: seed)
        var first = Files(count, named: "a", besides: [], &random)
        first.nodes = first.left(besides: [])
        first.pairs = []
        let there = first.nodes.map(\.code)
        var second = Files(count, named: "b", besides: there, &random)
        second.pairs = []
        // Half of the new nodes update existing nodes.
        for (index, code) in there.prefix(count / 2).enumerated() { second.nodes[index].code = code }
        let left = second.left(besides: Set(there))
        var expected = first.nodes
        for node in left {
            if let place = there.firstIndex(of: node.code) { expected[place] = node } else { expected.append(node) }
        }
        for (container, _) in try containers(try LinkModels.nodes()) {
            _ = try container.run(first.datasets)
            let problems = ProblemRecorder()
            let summary = try container.run(second.datasets) {
                problems.attach(&$0)
                $0.onError = .reject
                $0.onConflict = .update
            }
            #expect(try container.exported("Node", .csv) == text(expected), "seed \(seed)")
            #expect(summary.files[0].rejected == second.nodes.count - left.count, "seed \(seed)")
            #expect(
                problems.originals.sorted()
                    == second.nodes.filter { node in !left.contains { $0.code == node.code } }.map(\.text).sorted(),
                "seed \(seed)")
        }
    }
}
