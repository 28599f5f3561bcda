import Foundation
import Testing

@Suite("The examples of the documentation")
struct DocumentedExamplesTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func lines(_ path: String) throws -> [String] {
        let text = try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.trimmingPrefix(while: \.isWhitespace)
        }
        .map(String.init)
    }

    /// Pieces of code between blank lines do not stand apart in tests as they do on a page, so that each is looked for.
    @Test(
        "every piece of code about testing stands in the tests, line by line",
        arguments: [
            ("README.md", "Where several objects change"),
            ("Modules/Repositories/StrataRepositories.docc/StrataRepositories.md", ""),
            ("Modules/PersistenceTesting/StrataTesting.docc/Situations.md", ""),
            ("Modules/Persistence/StrataPersistence.docc/InAService.md", ""),
            ("Modules/Persistence/StrataPersistence.docc/AModelOfYourOwn.md", ""),
        ])
    func examples(path: String, heading: String) throws {
        let doubles = "Tests/RepositoriesTests/Doubles/"
        let sources = try [
            doubles + "Callers.swift", doubles + "RepositoryDouble.swift", doubles + "CallersWithDoublesTests.swift",
            doubles + "ContextDoubles.swift", doubles + "RepositoriesInMemoryTests.swift",
            doubles + "Onboarding.swift", doubles + "OnboardingTests.swift",
            "Tests/RepositoriesTests/Articles/SituationTests.swift",
            "Tests/RepositoriesTests/Articles/StackScenarioTests.swift",
            "Tests/RepositoriesTests/Articles/ContextExampleTests.swift",
            "Tests/RepositoriesTests/Articles/ServiceExampleTests.swift",
            "Tests/RepositoriesTests/Articles/InvoiceExample.swift",
            "Tests/RepositoriesTests/Articles/InvoiceExampleTests.swift",
            "Tests/PersistenceTests/SQLite/DurabilityTests.swift",
            "Tests/Embedding/Sources/palette-service/PaletteServiceProgram.swift",
        ].map { "\n" + (try lines($0)).joined(separator: "\n") + "\n" }
        let page = try lines(path).drop { !heading.isEmpty && !$0.contains(heading) }.split(separator: "```swift")
        let examples = page.dropFirst().flatMap { block in
            block.prefix { $0 != "```" }.split(separator: "").map { "\n" + $0.joined(separator: "\n") + "\n" }
        }
        #expect(examples.count >= 4)
        for example in examples {
            #expect(sources.contains { $0.contains(example) }, "not in the tests: \(example)")
        }
    }
}
