import StrataPersistence
import Testing

@Suite("Encoding of record identifiers")
struct RecordIDEncodingTests {
    private struct Invoice: Encodable {
        let id: RecordID<Invoice>
        var corrects: RecordID<Invoice>?
        var replaces: RecordID<Invoice>?
    }

    @Test("identifiers are encoded as numbers directly in a record's container")
    func written() throws {
        let encoder = RecordingEncoder()
        try Invoice(id: 7, corrects: 3).encode(to: encoder)
        #expect(encoder.log.entries == ["id number 7", "corrects number 3"])
    }
}

/// Records the calls with which each value of a record is encoded.
private struct RecordingEncoder: Encoder {
    final class Log {
        var entries: [String] = []
    }

    struct Unwanted: Error {}

    let log = Log()
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Container(log: log))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { fatalError("a record has keys") }

    func singleValueContainer() -> any SingleValueEncodingContainer { fatalError("a record has keys") }

    struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let log: Log
        let codingPath: [any CodingKey] = []

        func encode(_ value: Int64, forKey key: Key) { log.entries.append("\(key.stringValue) number \(value)") }

        func encode(_ value: some Encodable, forKey key: Key) { log.entries.append("\(key.stringValue) coder") }

        func encodeNil(forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: Bool, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: String, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: Double, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: Float, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: Int, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: Int8, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: Int16, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: Int32, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: UInt, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: UInt8, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: UInt16, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: UInt32, forKey key: Key) throws { throw Unwanted() }
        func encode(_ value: UInt64, forKey key: Key) throws { throw Unwanted() }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(RecordingEncoder.Container<Nested>(log: log)) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { fatalError("nothing is nested") }

        func superEncoder() -> any Encoder { fatalError("nothing is inherited") }

        func superEncoder(forKey key: Key) -> any Encoder { fatalError("nothing is inherited") }
    }
}
