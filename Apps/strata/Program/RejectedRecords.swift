/// An error that ends a command that succeeded but rejected records.
struct RejectedRecords: Error {}
