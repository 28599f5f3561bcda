import Testing

@testable import StrataInterchange

@Suite("Digests of files")
struct DigestAlgorithmTests {
    @Test(
        "the MD5, SHA-1 and SHA-512 digests of texts equal known values for any block size",
        arguments: [
            (.md5, "", 1, "d41d8cd98f00b204e9800998ecf8427e"),
            (.sha1, "", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (
                .sha512, "", 1,
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
            (.md5, "abc", 1, "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                .sha512, "abc", 1,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (.md5, "message digest", 1, "f96b697d7cb7938d525a2f31aaf161d0"),
            (.sha1, "message digest", 1, "c12252ceda8be8994d5fa0290a47231c1d16aae3"),
            (
                .sha512, "message digest", 1,
                "107dbf389d9e9f71a3a95f6c055b9251bc5268c2be16d6c13492ea45b0199f3309e16455ab1e96118e8a905d5597b72038ddb372a89826046de66687bb420e7c"
            ),
            (
                .md5, "12345678901234567890123456789012345678901234567890123456789012345678901234567890", 1,
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
            (
                .sha1, "12345678901234567890123456789012345678901234567890123456789012345678901234567890", 1,
                "50abf5706a150990a08b2c5ea40fa0e585554732"
            ),
            (
                .sha512, "12345678901234567890123456789012345678901234567890123456789012345678901234567890", 1,
                "72ec1ef1124a45b047e8b7c75a932195135bb61de24ec0d1914042246e0aec3a2354e093d76f3048b456764346900cb130d2a4fd5dd16abb5e30bcb850dee843"
            ),
            (.md5, "a", 100000, "1af6d6f2f682f76f80e606aeaaee1680"),
            (.sha1, "a", 100000, "c4d4b30851182fc4eb8675494d42fd7f17e29c93"),
            (
                .sha512, "a", 100000,
                "c7664ff18bbefa5868d1eba38637087ad70e6380013f52f4ce3dd4a98bebd49353ce40be1dfddad2259bacdc7bd10e98d44a6a68d5d1091bcd55b47efb5cd50e"
            ),
        ] as [(DigestAlgorithm, String, Int, String)])
    func digests(algorithm: DigestAlgorithm, text: String, times: Int, digest: String) throws {
        let bytes = Array(repeating: Array(text.utf8), count: times).flatMap(\.self)
        for size in [1, 7, 63, 64, 65, 127, 128, 129, 1000] where size > 1 || bytes.count < 1000 {
            let input = ByteInput(bytes: bytes, name: "t", blockSize: size)
            #expect(try algorithm.digest(of: input) == digest, "blocks of \(size)")
        }
    }
}
