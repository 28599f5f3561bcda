import StrataCore

/// A record as it was, by reference: few objects are changed, and the others shall not be larger for it.
@usableFromInline
final class Snapshot<Record> {
    let record: Record

    init(_ record: Record) {
        self.record = record
    }
}
