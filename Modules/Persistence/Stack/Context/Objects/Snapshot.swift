import StrataCore

/// The old record of a changed object.
///
/// It is stored by reference, because few objects are changed and the other objects must not become larger.
final class Snapshot<Record>: ObjectLink {
    let record: Record
    /// The newest stored values, if another save changed properties that this context changed too; otherwise `nil`.
    ///
    /// A rollback restores these values.
    let latest: Latest?

    /// The newest stored record, with the version of its row.
    ///
    /// It is stored by reference, because few objects have it.
    final class Latest {
        let record: Record
        let version: Int64

        init(_ record: Record, version: Int64) {
            self.record = record
            self.version = version
        }
    }

    init(_ record: Record, latest: Latest? = nil, of ownership: ObjectOwnership) {
        self.record = record
        self.latest = latest
        super.init(ownership: ownership)
    }
}
