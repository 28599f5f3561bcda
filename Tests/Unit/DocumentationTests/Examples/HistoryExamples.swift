import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting
import Testing

@Suite("The examples about history")
struct HistoryExamples {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a store keeps a history that is read after a token, and a consumer processes it")
    func history() async throws {
        let (model, url) = (try ReferenceModel.model(), folder.file("app.sqlite"))
        var description = PersistentStoreDescription.sqlite(at: url)
        description.history = .changes
        description.author = "importer"
        let container = try PersistentContainer(model: model, description)
        var token = try container.historyToken()
        for try await transaction in container.history(after: token, entities: ["Color"]) {
            print(transaction.date, transaction.changes)
            token = transaction.token
        }
        let mailer = try container.historyConsumer("mailer")
        while try await mailer.next({ transactions, unit in
            for change in transactions.flatMap(\.changes) { print(change.kind, change.entity) }
        }) {}
        #expect(try container.historyConsumers().map(\.consumer) == ["mailer"])
        try container.close()
    }
}
