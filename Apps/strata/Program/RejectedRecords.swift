/// Ends a command that did what it was asked for, but left records out.
struct RejectedRecords: Error {}
