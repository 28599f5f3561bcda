import StrataPersistence
import Testing

@Suite("Nearest name")
struct NearestNameTests {
    @Test(
        "the distance of two names counts insertions, deletions, replacements and swaps",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1),
            ("kitten", "sitting", 3), ("name", "nmae", 1), ("ca", "abc", 3),
        ]
    )
    func distance(left: String, right: String, expected: Int) {
        #expect(NearestName.distance(Array(left), Array(right)) == expected)
        #expect(NearestName.distance(Array(right), Array(left)) == expected)
    }

    @Test(
        "a name is near if it differs in one edit, or in at most one edit per three characters",
        arguments: [
            ("sotre", "store"), ("STORE", "store"), ("stor", "store"), ("x", nil), ("b", "a"), ("outptu", "output"),
            ("otpt", nil), ("storage", "store"), ("", "a"),
        ] as [(String, String?)]
    )
    func nearest(name: String, expected: String?) {
        let candidates = name.count > 1 || name == "x" ? ["output", "store"] : ["a"]
        #expect(NearestName.of(name, among: candidates) == expected)
    }

    @Test(
        "the suggestion is the nearest name, or otherwise the only name that begins with the text",
        arguments: [
            ("stoer", "; did you mean store?"), ("compl", "; did you mean completions?"), ("co", ""), ("comp", ""),
            ("xyz", ""), ("", ""),
        ])
    func suggestion(name: String, expected: String) {
        let candidates = ["store", "completions", "compile-everything"]
        #expect(NearestName.suggestion(for: name, among: candidates) == expected)
    }

    @Test("the first of several equally near names is suggested")
    func tie() {
        #expect(NearestName.of("bat", among: ["cat", "hat"]) == "cat")
    }

    @Test("a name of more than 64 characters has no nearest name")
    func bound() {
        let name = String(repeating: "a", count: 64)
        #expect(NearestName.of(name, among: [name + "b"]) == name + "b")
        #expect(NearestName.of(name + "a", among: [name + "b"]) == nil)
    }

    @Test("a very long text has no nearest name")
    func long() {
        #expect(NearestName.of(String(repeating: "a", count: 100_000), among: ["store"]) == nil)
    }
}
