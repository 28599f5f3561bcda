import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting
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

    @Test("the differences of a list and its count are printed")
    func differences() async throws {
        let container = try container()
        let list = Task {
            for try await colors in container.observeChanges(FetchRequest<Color>(sort: [SortKey(\.name)])) {
                print(colors.change.removals, colors.change.insertions, colors.change.moves, colors.change.updates)
            }
            return true
        }
        let count = Task {
            for try await count in container.observeCount(FetchRequest<Color>()) { print(count) }
            return true
        }
        try container.close()
        #expect(try await list.value)
        #expect(try await count.value)
    }

    @Test("a container follows a file that other processes write")
    func following() throws {
        let (model, folder) = (try ReferenceModel.model(), try TemporaryFolder())
        let url = folder.file("app.sqlite")
        var description = PersistentStoreDescription.sqlite(at: url)
        description.announcesChanges = true
        let container = try PersistentContainer(model: model, description)
        try container.close()
    }

    @Test("a list is grouped by a property")
    func sections() async throws {
        let container = try container()
        let observer = Task {
            let request = FetchRequest<Color>(sort: [SortKey(\.name), SortKey(\.dateCreated)])
            for try await sections in container.observe(request, sectionedBy: \.name) {
                for section in sections { print(section.key ?? "", section.records.count) }
            }
            return true
        }
        try container.close()
        #expect(try await observer.value)
    }

    @Test("a list of colors with unsaved changes is printed")
    func unsaved() async throws {
        let container = try container()
        let observer = Task {
            let context = container.newBackgroundContext()
            for try await colors in context.observe(FetchRequest<Color>(sort: [SortKey(\.name)])) {
                print(colors.map(\.name))
            }
            return true
        }
        try container.close()
        #expect(try await observer.value)
    }

    @Test("several fetches read one state")
    func pinned() throws {
        let container = try container()
        try container.backgroundContext.performAndWait { context in
            try context.pinQueryGeneration()
            defer { context.unpinQueryGeneration() }
            let total = try context.count(FetchRequest<Employee>())
            let employees = try context.fetch(FetchRequest<Employee>())
            #expect(employees.count == total)
        }
        try container.close()
    }

    private struct SlowOperations: OperationObserver {
        func operationDidBegin(_ operation: StoreOperation) -> UInt64 { 0 }

        func operationDidEnd(_ token: UInt64, _ outcome: OperationOutcome) {
            guard outcome.duration > .milliseconds(100) else { return }
            let plan = try? outcome.explanation()?.plan
            print(outcome.operation.kind, outcome.operation.entity ?? "", outcome.duration, plan ?? "")
        }
    }

    @Test("an observer prints slow operations")
    func operations() throws {
        var description = PersistentStoreDescription.inMemory
        description.operationObserver = SlowOperations()
        let container = try PersistentContainer(
            model: ReferenceModel.model(), description, mainQueue: .private)
        try container.close()
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
