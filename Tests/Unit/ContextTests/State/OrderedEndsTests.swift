import Testing

@testable import StrataPersistence

/// The ends of ordered relationships that a context knows.
@Suite("Last positions of ordered relationships")
struct OrderedEndsTests {
    @Test("rereading an entity's rows discards the last list positions of this entity only")
    func forgotten() {
        let track = OrderedEnds.Key(entity: "Track", column: 1, owner: 1)
        let verse = OrderedEnds.Key(entity: "Verse", column: 1, owner: 1)
        var ends = OrderedEnds()
        ends.know(7, of: track)
        ends.know(nil, of: verse)
        ends.forget("Track")
        #expect(ends[track] == nil)
        #expect(ends[verse] == .some(nil))
        ends.forget("Verse")
        #expect(ends.isEmpty)
    }
}
