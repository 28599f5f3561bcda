import StrataDomain
import StrataPersistence
import StrataRepositories
import Testing

@Suite("The examples about observation")
struct ObservingExamples {
    private func container() throws -> PersistentContainer {
        try PersistentContainer(model: ReferenceModel.model(), .inMemory, mainQueue: .private)
    }

    @Test("a list of colors is printed when it changes")
    func colors() async throws {
        let container = try container()
        let observer = Task {
            for try await colors in container.observe(FetchRequest<Color>(sort: [SortKey(\.name)])) {
                print(colors.map(\.name))
            }
            return true
        }
        try container.close()
        #expect(try await observer.value)
    }

    @Test("a value is read again after commits")
    func values() async throws {
        let container = try container()
        let observer = Task {
            let everyone = FetchRequest<Employee>()
            let longest = container.observe(everyone) { unit in
                try unit.fetch(everyone).map(\.lastName.count).max()
            }
            for try await count in longest { print(count ?? 0) }
            return true
        }
        try container.close()
        #expect(try await observer.value)
    }
}
