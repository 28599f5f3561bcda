import Foundation
import HTTPTypes
import StrataPersistence
import Testing

@testable import Service

@Suite("Problems")
struct ProblemTests {
    /// The folder of Strata's package.
    private static let strata = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../..").standardizedFileURL

    /// The codes that the source of the error declares; the type does not list them.
    private static let codes: [PersistenceError.Code] = [
        .invalidModel, .incompatibleModel, .newerFormat, .foreignStore, .notADatabase, .storeNotFound, .cannotCreate,
        .permissionDenied, .readOnly, .locked, .diskFull, .inputOutput, .corrupt, .closed, .unsupportedSQLite,
        .invalidRequest, .arithmetic, .validation, .conflict, .uniqueness, .danglingReference, .objectNotFound,
        .detachedObject, .pendingChanges, .identifiersExhausted, .database, .unreadable, .storeMigrated, .dataLoss,
        .unknownOutcome, .notTracked, .otherStore, .historyExpired,
    ]

    @Test("the list of this test contains every code")
    func allCodes() throws {
        let file = Self.strata.appendingPathComponent("Modules/Persistence/Core/Errors/PersistenceError.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let declared = source.matches(of: /public static let (\w+) = Code\(/).map { String($0.1) }
        #expect(declared.sorted() == Self.codes.map(\.rawValue).sorted())
    }

    @Test("the table of the documentation has the statuses of the service")
    func documentation() throws {
        let file = Self.strata.appendingPathComponent(
            "Modules/Persistence/Stack/StrataPersistence.docc/InAService.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        var documented: [String: Int] = [:]
        for line in page.matches(of: /case ([.\w?, ]+): return (\d+)/) {
            for name in line.1.matches(of: /\.(\w+)\?/) { documented[String(name.1)] = Int(line.2) }
        }
        #expect(!documented.isEmpty)
        for code in Self.codes {
            #expect(ProblemTable.status(of: code).code == documented[code.rawValue] ?? 500, "\(code)")
        }
    }

    @Test("each code of the store has its status, also through the handlers", arguments: codes)
    func statuses(code: PersistenceError.Code) async throws {
        let service = TestService(context: FailingContext(error: PersistenceError(code, "the reason")))
        try await service.run { client in
            let read = try await client.send(.get, "/colors/1")
            #expect(read.status == ProblemTable.status(of: code))
            #expect(read["type"] == .string("urn:strata:problem:\(code)"))
            let write = try await client.send(.patch, "/colors/1", "{}", headers: [.ifMatch: "*"])
            #expect(write.status == ProblemTable.status(of: code, .conditionalWrite))
            let list = try await client.send(.get, "/colors")
            #expect(list.status == ProblemTable.status(of: code, .clientText))
        }
    }

    @Test("internal errors do not reveal their reason, and temporary ones have a time")
    func details() async throws {
        try await TestService(context: FailingContext(error: PersistenceError(.corrupt, "secret"))).run { client in
            let answer = try await client.send(.get, "/colors/1")
            #expect(answer.status == .internalServerError)
            #expect(!answer.body.contains("secret"))
        }
        try await TestService(context: FailingContext(error: PersistenceError(.locked, "locked"))).run { client in
            let answer = try await client.send(.get, "/colors/1")
            #expect(answer.headers[.retryAfter] == "1")
        }
    }

    @Test("an unknown error is 500 without a detail")
    func unknownError() async throws {
        struct Unknown: Error {}
        try await TestService(context: FailingContext(error: Unknown())).run { client in
            let answer = try await client.send(.get, "/colors/1")
            #expect(answer.status == .internalServerError)
            #expect(answer["detail"] == nil)
        }
    }
}
