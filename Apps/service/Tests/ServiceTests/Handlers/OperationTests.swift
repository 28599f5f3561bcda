import CoreMetrics
import HTTPTypes
import StrataPersistence
import Testing

@testable import Service

@Suite("Operation")
struct OperationTests {
    @Test("readiness depends on the store, health does not")
    func readiness() async throws {
        var service = try TestService()
        service.probe = ProbeDouble(error: PersistenceError(.storeMigrated, "migrated"))
        try await service.run { client in
            try await client.expect(.ok, .get, "/health")
            try await client.expect(.serviceUnavailable, .get, "/ready")
        }
    }

    @Test("metrics have the text format of Prometheus")
    func metrics() throws {
        let metrics = PrometheusMetrics()
        metrics.makeCounter(label: "hb.requests", dimensions: [("http.route", "a\"b\\c\nd")]).increment(by: 2)
        metrics.makeTimer(label: "duration", dimensions: []).recordNanoseconds(3_000_000)
        metrics.makeMeter(label: "active", dimensions: []).set(4.5)
        let lines = metrics.text().split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE hb_requests_total counter"))
        #expect(lines.contains(#"hb_requests_total{http_route="a\"b\\c\nd"} 2.0"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="0.0025"} 0.0"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="0.005"} 1.0"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="+Inf"} 1.0"#))
        #expect(lines.contains("duration_seconds_count 1.0"))
        #expect(lines.contains("active 4.5"))
    }

    @Test("an import reports its counts, and a rejected one its errors")
    func transfer() async throws {
        var service = try TestService()
        try await service.run { client in
            let answer = try await client.send(.post, "/colors/import", "{}\n{}\n")
            #expect(try answer.json == ["inserted": 2, "updated": 0, "ignored": 0])
            try await client.expect(.badRequest, .post, "/colors/import?on-conflict=x", "")
        }
        service.transfer = TransferDouble(error: ProblemTable.invalidImport([], total: 3))
        try await service.run { client in
            let answer = try await client.send(.post, "/colors/import", "{}")
            #expect(answer.status == .unprocessableContent)
            #expect(answer["total"] == 3)
        }
        service.limits.importBytes = 3
        try await service.run { client in
            try await client.expect(.contentTooLarge, .post, "/colors/import", "{}\n{}\n")
        }
    }
}
