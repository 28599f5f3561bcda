import StrataCore
import StrataStoreKit

/// A page of an ordered list of records, with the tokens of the next and the previous page.
///
/// A page is found by the sort values of its first or last record, not by a count of records. A page far into a long
/// list is therefore read as fast as the first one if an index has the sort keys, and records that are inserted or
/// deleted before the page do not move its records to another page.
public struct Page<Record> {
    /// The records, in the order of the request.
    public let records: [Record]
    /// The token of the next page; `nil` if no record followed the page when it was read.
    public let next: PageToken?
    /// The token of the previous page; `nil` for the first page.
    public let previous: PageToken?
}

extension Page: Sendable where Record: Sendable {}

/// The reading of one page, by statements that each read a range of the order.
///
/// Records after a place have an equal value in some first sort keys, and a later value in the next one. Each such
/// range is one statement, which an index of the sort keys serves. The ranges with more equal keys are first in the
/// order, so that most pages need one or two statements.
struct PageRequest<Record: ManagedRecord> {
    /// A sort key as an operand whose values are compared as they are sorted.
    private struct Key {
        let operand: FetchOperand
        let isDescending: Bool
        let isNullable: Bool
    }

    private let request: FetchRequest<Record>
    private let lowered: StoreRequest
    private let size: Int
    private let token: PageToken?
    private let digest: String
    private let keys: [Key]

    /// Creates the reading of a page.
    ///
    /// - Parameters:
    ///   - request: The request for the list.
    ///   - size: The maximum count of records.
    ///   - token: The token of the page; `nil` for the first page.
    ///   - resolver: The resolver of the entity's names.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the request has a limit or
    ///   an offset, or if the token is of another request.
    init(
        _ request: FetchRequest<Record>, size: Int, after token: PageToken?, _ resolver: ConditionResolver
    ) throws {
        // One more record is read, to know whether another page follows.
        (self.request, self.size, self.token) = (request, min(size, Int.max - 1), token)
        let name = request.entity.name
        guard request.limit == nil, request.offset == 0 else {
            throw PersistenceError(
                .invalidRequest, "a request for pages must not have a limit or an offset", entity: name)
        }
        guard size >= 0 else {
            throw PersistenceError(.invalidRequest, "the page size is \(size), but must be at least 0", entity: name)
        }
        lowered = try request.lowered()
        digest = PageToken.digest(of: lowered)
        var keys: [Key] = []
        for sort in lowered.sort {
            let operand = try sort.operand(of: request.entity.description)
            let resolved = try resolver.resolve(operand)
            // Texts of a format are sorted by their meaning.
            let compared = resolved.orderFormat(in: resolver.entity).map {
                FetchOperand.function(.inOrder(of: $0), operand)
            }
            keys.append(
                Key(
                    operand: compared ?? operand, isDescending: sort.isDescending,
                    isNullable: resolved.type.isNullable))
            if operand == .property("id") { break }
        }
        if keys.last?.operand != .property("id") {
            keys.append(Key(operand: .property("id"), isDescending: false, isNullable: false))
        }
        self.keys = keys
        if let token, token.digest != digest || token.values.count != keys.count {
            throw PageToken.invalid("it belongs to a request with another entity, filter or order")
        }
    }

    private var isBackward: Bool { token?.isBackward ?? false }

    /// Reads the page.
    ///
    /// - Parameters:
    ///   - values: A closure that returns the values of each result of a selection.
    ///   - fetch: A closure that returns the records that a request selects.
    /// - Returns: The page.
    /// - Throws: The errors of the closures.
    func page(
        values: (StoreSelection) throws -> [[StoredValue]], fetch: (FetchRequest<Record>) throws -> [Record]
    ) throws -> Page<Record> {
        guard size > 0 else { return Page(records: [], next: token, previous: nil) }
        let read = try places(values)
        var places = Array(read.prefix(size))
        if isBackward { places.reverse() }
        let isMore = read.count > size
        var found = request
        found.filter = .condition(.isIn(.property("id"), places.map(id(of:))))
        found.sort = []
        let records = try fetch(found)
        let byID = Dictionary(records.map { ($0.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
        return Page(
            // A record that was deleted since its place was read is omitted.
            records: places.compactMap { place in
                if case .integer(let id) = id(of: place) { byID[id] } else { nil }
            },
            next: isBackward || isMore ? following(places.last, isBackward: false) : nil,
            previous: isBackward
                ? (isMore ? following(places.first, isBackward: true) : nil)
                : token == nil ? nil : following(places.first, isBackward: true))
    }

    /// Returns the token of the page after or before a record of this page.
    ///
    /// An empty page has no record; the page in the other direction then includes the record at the place of its token.
    private func following(_ place: [StoredValue]?, isBackward: Bool) -> PageToken? {
        if let place { return PageToken(digest: digest, isBackward: isBackward, values: place) }
        return token.map {
            PageToken(digest: digest, isBackward: isBackward, includesPlace: !$0.includesPlace, values: $0.values)
        }
    }

    private func id(of place: [StoredValue]) -> StoredValue { place.last ?? .null }

    /// Returns the sort values and identifiers of the page's records and of one more, in the direction of the page.
    private func places(_ values: (StoreSelection) throws -> [[StoredValue]]) throws -> [[StoredValue]] {
        var found: [[StoredValue]] = []
        var ids: Set<StoredValue> = []
        for range in try ranges() where found.count <= size {
            var rows = lowered
            if let range { rows.condition = lowered.condition.map { $0 && range } ?? range }
            rows.sort = keys.map {
                StoreRequest.Sort(key: .value($0.operand), descending: $0.isDescending != isBackward)
            }
            rows.limit = size + 1 - found.count
            // Another process may move a record to a later range between two statements.
            found += try values(StoreSelection(rows, keys.map(\.operand))).filter { ids.insert(id(of: $0)).inserted }
        }
        return found
    }

    /// Returns the conditions on the records after the token's place, in the order of the ranges that they select.
    private func ranges() throws -> [FetchCondition?] {
        guard let token else { return [nil] }
        var ranges: [FetchCondition] = []
        if token.includesPlace { ranges.append(.all(equal(token.values, count: keys.count))) }
        for index in keys.indices.reversed() {
            for later in later(keys[index], token.values[index]) {
                ranges.append(.all(equal(token.values, count: index) + [later]))
            }
        }
        return ranges
    }

    /// Returns the conditions that the first keys have the values of a place.
    private func equal(_ values: [StoredValue], count: Int) -> [FetchCondition] {
        zip(keys, values).prefix(count).map { .compare($0.operand, .equal, .constant($1)) }
    }

    /// Returns the conditions for a later value of a key, in the direction of the page; null is before all values.
    private func later(_ key: Key, _ value: StoredValue) -> [FetchCondition] {
        let isNull = FetchCondition.compare(key.operand, .equal, .constant(.null))
        if key.isDescending != isBackward {
            if value.isNull { return [] }
            let less = FetchCondition.compare(key.operand, .less, .constant(value))
            return key.isNullable ? [less, isNull] : [less]
        }
        if value.isNull { return [.not(isNull)] }
        return [.compare(key.operand, .greater, .constant(value))]
    }
}
