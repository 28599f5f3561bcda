import StrataCore

/// What others saved and a context has not taken over yet.
///
/// A value without input or output: the context reads the rows again.
struct MergeInbox {
    /// Where other contexts' saves wait, and by which this context's own are told from theirs; `nil` for a unit of work beside a context.
    let pending: PendingMerge?
    /// What a merge that failed was about; it is tried again.
    private var unmerged: MergeNotice?
    /// Why it failed; the next fetch or save says so.
    private var failure: (any Error)?

    init(_ pending: PendingMerge?) {
        self.pending = pending
    }

    /// Takes what is to be merged.
    ///
    /// - Parameter arrived: What was saved now; whatever waits in ``pending`` is not in it.
    /// - Returns: What has arrived, and what could not be merged before; `nil` when there is nothing.
    mutating func take(_ arrived: MergeNotice?) -> MergeNotice? {
        guard unmerged != nil || arrived != nil else { return nil }
        var notice = unmerged ?? MergeNotice()
        if let arrived { notice.add(arrived) }
        (unmerged, failure) = (nil, nil)
        return notice
    }

    /// Keeps a notice whose merge failed.
    ///
    /// - Parameters:
    ///   - notice: What is to be merged again.
    ///   - error: What the next fetch or save throws; `nil` when the failure was the ended work's own.
    mutating func keep(_ notice: MergeNotice, failure error: (any Error)? = nil) {
        unmerged = notice
        failure = error
    }

    /// Throws why the last merge failed, once.
    mutating func throwFailure() throws {
        guard let error = failure else { return }
        failure = nil
        throw error
    }

    /// Forgets what could not be merged: every object is forgotten, so that there is nothing to merge with.
    mutating func forget() { (unmerged, failure) = (nil, nil) }
}
