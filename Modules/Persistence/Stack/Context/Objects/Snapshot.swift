import StrataCore

/// The old values of a changed object.
///
/// They are stored by reference: few objects are changed, and the others must not become larger.
final class Snapshot<Record>: ObjectLink {
    let record: Record
    /// The newest values of the store, if another save changed values that are changed here too.
    ///
    /// A rollback returns to these values.
    let latest: Latest?

    /// The newest values of the store, with their version.
    ///
    /// They are stored by reference, because hardly any object has them.
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
