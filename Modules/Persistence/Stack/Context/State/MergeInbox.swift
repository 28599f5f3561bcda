import StrataCore

/// The changes that other contexts saved and that a context has not merged yet.
///
/// The value performs no input or output: the context reads the rows again.
struct MergeInbox {
    /// The waiting notices of other contexts' saves; `nil` for a separate context of a unit of work.
    ///
    /// The object also identifies the context as the sender of its own saves.
    let pending: PendingMerge?
    /// The notice whose merge failed; the merge is retried.
    private var unmerged: MergeNotice?
    /// The error of the failed merge, which the next fetch or save throws.
    private var failure: (any Error)?

    init(_ pending: PendingMerge?) {
        self.pending = pending
    }

    /// Takes the notices that are to be merged.
    ///
    /// - Parameter arrived: The notice that arrived now. It does not contain the notices in ``pending``.
    /// - Returns: The notice that arrived, together with the one whose merge failed; `nil` if there is none.
    mutating func take(_ arrived: MergeNotice?) -> MergeNotice? {
        guard unmerged != nil || arrived != nil else { return nil }
        var notice = unmerged ?? MergeNotice()
        if let arrived { notice.add(arrived) }
        (unmerged, failure) = (nil, nil)
        return notice
    }

    /// Retains a notice whose merge failed.
    ///
    /// - Parameters:
    ///   - notice: The notice to merge again.
    ///   - error: The error that the next fetch or save throws; `nil` if the merge failed because the work was
    ///     canceled.
    mutating func keep(_ notice: MergeNotice, failure error: (any Error)? = nil) {
        unmerged = notice
        failure = error
    }

    /// Throws the error of the last merge, once.
    mutating func throwFailure() throws {
        guard let error = failure else { return }
        failure = nil
        throw error
    }

    /// Forgets the failed merge: every object is forgotten, so that there is nothing to merge with.
    mutating func forget() { (unmerged, failure) = (nil, nil) }
}
