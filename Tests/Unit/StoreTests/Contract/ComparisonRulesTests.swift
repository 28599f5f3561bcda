import Foundation
import StrataTestSupport
import StrataTesting
import Testing

@Suite("Comparison rules")
struct ComparisonRulesTests {
    @Test("the document about comparison rules names at least 28 checks, and all of them exist")
    func document() throws {
        let file = Checkout.root.appendingPathComponent(
            "Modules/Persistence/Stack/StrataPersistence.docc/ComparisonRules.md")
        let text = try String(contentsOf: file, encoding: .utf8).replacing("\n", with: " ").replacing("**", with: "")
        let named = text.matches(of: /\*([^*]+)\*/).map { String($0.1).replacing("  ", with: " ") }
            .filter { $0 != "italics" && !$0.hasPrefix("…") }
        let rules = Set(StoreContract.checks.map(\.rule))
        #expect(named.filter { !rules.contains($0) } == [])
        #expect(Set(named).count >= 28)
    }
}
