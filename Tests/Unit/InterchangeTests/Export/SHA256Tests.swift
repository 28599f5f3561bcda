import Testing

@testable import StrataInterchange

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "SHA-256 digests equal the vectors of FIPS 180-4 for input in pieces of any size",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            ("a", 100_000, "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"),
        ])
    func vectors(text: String, times: Int, digest: String) {
        let bytes = Array(repeating: Array(text.utf8), count: times).flatMap(\.self)
        for size in [1, 7, 63, 64, 65, 1000] {
            var hash = SHA256()
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + size)
                bytes[start..<end].withUnsafeBytes { hash.update($0) }
                start = end
            }
            #expect(hash.finish() == digest)
        }
    }
}
