import StrataCore

/// The changes that other contexts saved and that a context has not merged yet.
///
/// The value only stores the notices of these changes; `ContextMerger` reads the changed rows.
struct MergeInbox {
    /// The notices of other contexts' saves that are not merged yet, or `nil` for the separate context of a unit of
    /// work.
    ///
    /// The object also identifies the context as the sender of its saves.
    let pending: PendingMerge?
    /// The notice whose merge failed, which the context tries to merge again.
    private var unmerged: MergeNotice?
    /// The error of the failed merge; the next fetch or save throws it.
    private var failure: (any Error)?

    init(_ pending: PendingMerge?) {
        self.pending = pending
    }

    /// Returns the notices to merge, combined into one, and removes the failed one.
    ///
    /// - Parameter arrived: The notice that arrived last, which is not in ``pending``.
    /// - Returns: The notice that arrived, combined with the one whose merge failed, or `nil` if there is neither.
    mutating func take(_ arrived: MergeNotice?) -> MergeNotice? {
        guard unmerged != nil || arrived != nil else { return nil }
        var notice = unmerged ?? MergeNotice()
        if let arrived { notice.add(arrived) }
        (unmerged, failure) = (nil, nil)
        return notice
    }

    /// Stores a notice whose merge failed, so that it is merged again.
    ///
    /// - Parameters:
    ///   - notice: The notice to merge again.
    ///   - error: The error that the next fetch or save throws, or `nil` if the merge failed only because the task was
    ///     canceled.
    mutating func keep(_ notice: MergeNotice, failure error: (any Error)? = nil) {
        unmerged = notice
        failure = error
    }

    /// Throws the error of the failed merge, if there is one, and removes the error.
    mutating func throwFailure() throws {
        guard let error = failure else { return }
        failure = nil
        throw error
    }

    /// Removes the failed merge, after all objects were removed from the context.
    mutating func forget() { (unmerged, failure) = (nil, nil) }
}
