import Foundation
import StrataCore
import StrataInMemory

/// How a store is kept in one file.
protocol AtomicFormat: Sendable {
    /// The kind's name, as messages have it: `XML`.
    var kind: String { get }
    /// The version of the format that is written, and the newest that is read.
    var version: Int { get }

    /// Writes all of a store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` for a value that is none of its column's; what `output` throws.
    func write(_ contents: InMemoryContents, _ title: StoreTitle, to output: any AtomicOutput) throws

    /// Reads the beginning, and what shows whether the file is whole without a model.
    ///
    /// - Throws: ``FormatError``, with code ``PersistenceError/Code/notADatabase`` or ``PersistenceError/Code/foreignStore`` for what is no store of the format.
    func head(of bytes: [UInt8]) throws -> StoreHead

    /// Reads the rows.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - head: Its beginning.
    ///   - loader: Takes them.
    /// - Throws: ``FormatError``, and what `loader` throws.
    func read(_ bytes: [UInt8], after head: StoreHead, into loader: ContentsLoader) throws

    /// A place in a file, for messages: `line 3, column 5`.
    func place(_ offset: Int, in bytes: [UInt8]) -> String
}

extension AtomicFormat {
    /// Runs `body`, and gives its errors the file's name and their places words.
    func naming<Result>(_ path: String, _ bytes: [UInt8], _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as FormatError {
            let place = error.offset.map { self.place($0, in: bytes) + ": " } ?? ""
            var named = PersistenceError(
                error.code, place + error.message, entity: error.entity, attribute: error.attribute, path: path)
            named.id = error.id
            throw named
        }
    }
}
