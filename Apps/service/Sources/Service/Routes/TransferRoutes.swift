import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import StrataInterchange
import StrataPersistence

/// The counts of an import.
struct ImportCounts: Sendable {
    var inserted = 0
    var updated = 0
    var ignored = 0
}

/// The import of files.
protocol RecordTransfer: Sendable {
    /// Imports a file of JSON objects, one in each line, in one transaction.
    ///
    /// - Throws: ``Problem`` with all errors if a record is invalid; no record is then stored.
    func importRecords(
        into entity: String, file: URL, onConflict: ConflictAction
    ) async throws -> ImportCounts
}

/// The action for a record that exists already.
enum ConflictAction: String, Sendable, CaseIterable {
    case abort, ignore, replace, update
}

extension RecordRoutes {
    private static var blockSize: Int { 64 * 1024 }

    func importRecords(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let parameters = request.uri.queryParameters
        try parameters.requireNames(["on-conflict"])
        guard let action = ConflictAction(rawValue: parameters.get("on-conflict") ?? "abort") else {
            let names = ConflictAction.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badRequest("on-conflict is unknown; use \(names)")
        }
        // A slow client must not keep a transaction open, so that the body is received first.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw Problem(.insufficientStorage, "diskFull", title: "No temporary file can be created") }
        // The response does not depend on the deletion of the file.
        defer { try? FileManager.default.removeItem(at: file) }
        try await receive(request, into: file)
        let counts = try await services.transfer.importRecords(into: resource.entity, file: file, onConflict: action)
        return try .json([
            "inserted": .integer(Int64(counts.inserted)), "updated": .integer(Int64(counts.updated)),
            "ignored": .integer(Int64(counts.ignored)),
        ])
    }

    private func receive(_ request: Request, into file: URL) async throws {
        let handle = try FileHandle(forWritingTo: file)
        // The writes have reported their errors, so that closing has none of its own.
        defer { try? handle.close() }
        var count = 0
        for try await buffer in request.body {
            count += buffer.readableBytes
            guard count <= services.limits.importBytes else {
                throw NIOTooManyBytesError(maxBytes: services.limits.importBytes)
            }
            try handle.write(contentsOf: Data(buffer.readableBytesView))
        }
        try request.checkCompleteness(count)
    }

    func export(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        try request.uri.queryParameters.requireNames([])
        let records = services.reads.stream(FetchRequest<Record>(Record.entity))
        let (coding, limits, logger) = (coding, services.limits, context.logger)
        let body = ResponseBody { writer in
            // A slow client retains a snapshot, which prevents the store from shortening its log.
            let deadline = ContinuousClock.now + limits.transferTime
            var (buffer, count) = (ByteBuffer(), 0)
            buffer.reserveCapacity(Self.blockSize)
            do {
                for try await record in records {
                    buffer.writeString(try coding.text(record))
                    buffer.writeInteger(UInt8(ascii: "\n"))
                    count += 1
                    guard buffer.readableBytes >= Self.blockSize else { continue }
                    try await writeBlock(buffer, to: &writer, within: limits.writeTime)
                    buffer.clear()
                    guard ContinuousClock.now < deadline else { throw CancellationError() }
                }
                if buffer.readableBytes > 0 { try await writeBlock(buffer, to: &writer, within: limits.writeTime) }
            } catch {
                // The head was sent, so that only an incomplete body reports the error.
                logger.error("export failed", metadata: ["error": "\(error)", "records": "\(count)"])
                throw error
            }
            try await writer.finish([.recordCount: String(count)])
        }
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson", .trailer: HTTPField.Name.recordCount.rawName],
            body: body)
    }
}
