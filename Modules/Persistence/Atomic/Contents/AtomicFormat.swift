import Foundation
import StrataCore
import StrataInMemory

/// The format of a store in one file.
protocol AtomicFormat: Sendable {
    /// The name of the store kind in messages, such as `XML`.
    var kind: String { get }
    /// The version of the format that is written, which is also the newest one that can be read.
    var version: Int { get }

    /// Writes a whole store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if a value is invalid for its
    ///   column; an error that `output` throws.
    func write(_ contents: InMemoryContents, _ title: StoreTitle, to output: any AtomicOutput) throws

    /// Reads the beginning of a store, and checks the completeness of the file as far as possible without a model.
    ///
    /// - Throws: ``FormatError``, with code ``PersistenceError/Code/notADatabase`` or
    ///   ``PersistenceError/Code/foreignStore`` if the file is not a store of the format.
    func head(of bytes: [UInt8]) throws -> StoreHead

    /// Reads the rows.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - head: The beginning of the store.
    ///   - loader: The receiver of the rows.
    /// - Throws: ``FormatError``, or an error that `loader` throws.
    func read(_ bytes: [UInt8], after head: StoreHead, into loader: ContentsLoader) throws

    /// Returns the location of an offset for messages, such as `line 3, column 5`.
    func place(_ offset: Int, in bytes: [UInt8]) -> String
}

extension AtomicFormat {
    /// Runs `body`, and adds the name of the file and readable locations to its errors.
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
