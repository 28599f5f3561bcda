import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Testing

@Suite("Recognition of encodings")
struct EncodingTests {
    private static func bytes(_ text: String, isLittle: Bool) -> [UInt8] {
        text.utf16.flatMap { isLittle ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    /// Returns the imported names and the recognized encoding, or the error.
    private func read(_ bytes: [UInt8], _ format: DatasetFormat, _ encoding: TextEncoding?) throws -> String {
        let container = try SampleModel.container()
        var options = ImportOptions(format: format)
        options.reading.encoding = encoding
        let importer = try DatasetImporter(entity: "Person", container: container, options: options)
        do {
            let summary = try importer.run(ByteInput(bytes: bytes, name: "f", blockSize: 7))
            let names = try container.coordinator.store.rows(StoreRequest("Person")).map { $0.values[0] }
            return "\(names) " + summary.files[0].recognized.filter { $0.hasPrefix("UTF") }.joined()
        } catch let error as InterchangeError {
            return "\(error)"
        }
    }

    @Test(
        "UTF-16 of either byte order is read from CSV, JSON and NDJSON files",
        arguments: [DatasetFormat.csv, .json, .ndjson])
    func utf16(format: DatasetFormat) throws {
        let text =
            [DatasetFormat.csv: "name\né😀x\n", .json: "[{\"name\":\"é😀x\"}]", .ndjson: "{\"name\":\"é😀x\"}\n"][format]
            ?? ""
        let stored = "\([StoredValue.string("é😀x")]) "
        for (isLittle, name, other) in [
            (true, TextEncoding.utf16LittleEndian, TextEncoding.utf16BigEndian),
            (false, .utf16BigEndian, .utf16LittleEndian),
        ] {
            let plain = Self.bytes(text, isLittle: isLittle)
            let marked = Self.bytes("\u{FEFF}" + text, isLittle: isLittle)
            #expect(try read(plain, format, name) == stored)
            #expect(try read(plain, format, nil) == stored + name.rawValue)
            #expect(try read(plain, format, .utf16) == stored + name.rawValue)
            #expect(try read(marked, format, nil) == stored + "UTF-16")
            #expect(try read(marked, format, .utf16) == stored)
            #expect(try read(marked, format, name) == stored)
            // A given encoding overrides the recognized encoding.
            #expect(try read(plain, format, .utf8).hasPrefix("f:1: "))
            #expect(
                try read(marked, format, .utf8)
                    == "f: the file has a byte order mark of \(name.rawValue), which contradicts the given encoding")
            #expect(
                try read(marked, format, other)
                    == "f: the file has a byte order mark of \(name.rawValue), which contradicts the given encoding")
        }
        // Text without a byte order mark and without ASCII is read as little-endian, as Windows writes it.
        let greek = Self.bytes("ναμε\nα\n", isLittle: true)
        #expect(try read(greek, .csv, .utf16).hasPrefix("f:1: unknown column \"ναμε\""))
    }

    @Test("invalid UTF-16 in a JSON file is an error with its location, and a UTF-32 file is rejected by name")
    func broken() throws {
        let half = Self.bytes("[{\"name\":\"x", isLittle: true) + [0x00, 0xD8] + Self.bytes("\"}]", isLittle: true)
        #expect(try read(half, .json, nil) == "f:1: record 1: invalid UTF-16LE in a string; choose another encoding")
        #expect(
            try read([0xFF, 0xFE, 0, 0, 0x5B, 0, 0, 0], .json, nil)
                == "f: the file has a byte order mark of UTF-32, which is not supported; save the file as UTF-8")
        #expect(
            try read(Array("[{\"name\":\"\u{E9}\"}]".unicodeScalars.map { UInt8($0.value) }), .json, .latin1)
                == "\([StoredValue.string("é")]) ")
    }

    @Test(
        "encoding names are recognized in any case, and with dashes, underscores or neither",
        arguments: [
            ("utf-16le", TextEncoding.utf16LittleEndian), ("UTF-16BE", .utf16BigEndian),
            ("utf16le", .utf16LittleEndian),
            ("UTF_16", .utf16),
        ])
    func names(name: String, encoding: TextEncoding) { #expect(TextEncoding(name: name) == encoding) }
}
