import PersistenceTestSupport
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Random changes of both kinds of ordered relationships, compared with plain arrays after every change.
@Suite("Random changes of ordered relationships")
struct RandomOrderTests {
    private static let changes = 60

    @Test(
        "ordered relationships equal arrays after random changes in root and child contexts, saved or not",
        arguments: StoreKind.everyKind, Seeds.first(1, of: UInt64(1)...12))
    func agree(_ kind: StoreKind, _ seed: UInt64) throws {
        for isChild in [false, true] {
            let stack = try kind.stack(try Library.model())
            let parent = stack.container.newBackgroundContext(name: "parent")
            let context = isChild ? parent.newChildContext() : parent
            let random = Guarded(SeededGenerator(seed: seed))
            func number(_ range: ClosedRange<Int>) -> Int { random.withLock { .random(in: range, using: &$0) } }
            let lists = Lists()
            try context.performAndWait { context in try lists.fill(context) }
            for change in 1...Self.changes {
                let name: Comment = "\(kind), seed \(seed), child: \(isChild), change \(change)"
                let (kind, owner, place, member) = (number(0...6), number(0...1), number(0...6), number(1...6))
                try context.performAndWait { context in
                    try lists.change(context, kind, owner, place, Int64(member))
                    try lists.check(context, name)
                }
                guard number(0...5) == 0 else { continue }
                try context.performAndWait { context in
                    try context.save()
                    try lists.check(context, name)
                }
                if isChild, number(0...1) == 0 { try parent.performAndWait { context in _ = try context.save() } }
                try parent.performAndWait { try lists.check($0, name) }
            }
        }
    }

    /// The books of two authors, of which each has at most one author, and the tags of two other books, which share
    /// them.
    private final class Lists: Sendable {
        private let books = Guarded<[[Int64]]>([[], []])
        private let tags = Guarded<[[Int64]]>([[], []])

        func fill(_ context: ConfinedContext) throws {
            for id in Int64(1)...6 {
                try context.insert(Book(id: .init(unchecked: id), title: "\(id)"))
                try context.insert(Tag(id: .init(unchecked: id), word: "\(id)"))
            }
            for id in [1, 2] as [LibraryID] { try context.insert(Author(id: id, name: "A")) }
            for id in [11, 12] as [LibraryID] { try context.insert(Book(id: id, title: "T")) }
        }

        func change(_ context: ConfinedContext, _ kind: Int, _ owner: Int, _ place: Int, _ member: Int64) throws {
            let author = try context.author(.init(unchecked: Int64(owner) + 1))
            let owning = try context.book(.init(unchecked: Int64(owner) + 11))
            let (book, tag) = (
                try context.book(.init(unchecked: member)), try context.tag(.init(unchecked: member))
            )
            var (mine, all) = (books.withLock { $0 }, tags.withLock { $0 })
            func take(_ lists: inout [[Int64]], _ place: Int, everywhere: Bool) {
                for index in lists.indices where everywhere || index == owner {
                    lists[index].removeAll { $0 == member }
                }
                lists[owner].insert(member, at: min(place, lists[owner].count))
            }
            switch kind {
            case 0, 1:
                try context.insert(book, at: place, in: \.books, of: author)
                try context.insert(tag, at: place, in: \.tags, of: owning)
                take(&mine, place, everywhere: true)
                take(&all, place, everywhere: false)
            case 2:
                try context.add(book, to: \.books, of: author)
                try context.add(tag, to: \.tags, of: owning)
                take(&mine, .max, everywhere: true)
                take(&all, .max, everywhere: false)
            case 3:
                try context.remove(book, from: \.books, of: author)
                try context.remove(owning, from: \.books, of: tag)
                mine[owner].removeAll { $0 == member }
                all[owner].removeAll { $0 == member }
            case 4:
                mine[owner].reverse()
                all[owner] = Array(all[owner].dropFirst(1).reversed())
                try context.set(mine[owner].map { try context.book(.init(unchecked: $0)) }, as: \.books, of: author)
                try context.set(all[owner].map { try context.tag(.init(unchecked: $0)) }, as: \.tags, of: owning)
            case 5:
                // An addition from the side without an order appends a new object, and leaves an existing one in its
                // position.
                try context.add(owning, to: \.books, of: tag)
                if !all[owner].contains(member) { take(&all, .max, everywhere: false) }
            default:
                guard mine[owner].contains(member), all[owner].contains(member) else { return }
                try context.move(book, to: place, in: \.books, of: author)
                try context.move(tag, to: place, in: \.tags, of: owning)
                take(&mine, place, everywhere: false)
                take(&all, place, everywhere: false)
            }
            books.withLock { [mine] in $0 = mine }
            tags.withLock { [all] in $0 = all }
        }

        func check(_ context: ConfinedContext, _ name: Comment) throws {
            for owner in 0...1 {
                let author = try context.author(.init(unchecked: Int64(owner) + 1))
                let owning = try context.book(.init(unchecked: Int64(owner) + 11))
                #expect(try context.objects(\.books, of: author).map(\.rawID) == books.withLock { $0[owner] }, name)
                #expect(try context.objects(\.tags, of: owning).map(\.rawID) == tags.withLock { $0[owner] }, name)
            }
        }
    }
}
