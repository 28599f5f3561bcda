import StrataCore

/// A record as it was, by reference: few objects are changed, and the others shall not be larger for it.
final class Snapshot<Record>: ObjectLink {
    let record: Record
    /// What the store has by now, where others changed what is changed here too: what a rollback goes back to.
    let latest: Latest?

    /// By reference too: hardly any object has one.
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
