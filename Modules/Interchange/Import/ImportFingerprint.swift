import StrataCore
import StrataStoreKit

/// Hashes of all settings that affect the stored records, except for the file's bytes.
///
/// A resumed import must have the same settings. The handling of invalid records is not included, so that an import
/// that an invalid record aborted can be resumed with different handling.
struct ImportFingerprint: Equatable {
    /// The names of the settings behind the hashes, for messages.
    private static let names = [
        "the mapping of its columns", "the format", "the dialect", "the entity in the model",
        "what happens to conflicts and missing references", "the header", "the spelling of its values",
    ]

    private var hashes: [UInt64]

    init(
        _ reading: ReadingOptions, _ options: ImportOptions, entities: [EntityDescription], model: ManagedObjectModel,
        header: [UInt8]
    ) throws {
        let models = try model.entityHashes()
        let dialect = reading.dialect
        let texts: [[String?]] = [
            reading.mapping.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } + [nil]
                + reading.omittedColumns.sorted() + ["\(reading.leavesOutUnknown)"]
                + reading.constants.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] },
            [reading.format.rawValue, reading.root, reading.keyAttribute, reading.valueAttribute],
            [
                dialect.separator.map { String($0.byte) }, dialect.quote.map { String($0) }, "\(dialect.hasHeader)",
                dialect.columns?.joined(separator: "\0"), "\(dialect.skippedLines)", dialect.comment,
                dialect.encoding?.rawValue, dialect.nullTokens.joined(separator: "\0"), "\(dialect.isTrimmed)",
                "\(dialect.isLenient)",
            ] + dialect.unusualParts,
            entities.map { models[$0.name] },
            [options.onConflict.rawValue, options.onMissingReference.rawValue],
            [String(decoding: header, as: UTF8.self)],
            reading.spelling.parts
                + reading.columnSpellings.sorted { $0.key < $1.key }.flatMap { [$0.key] + $0.value.parts }
                + reading.spellingOptions.flatMap { [$0.kind.rawValue, $0.text] }
                + ["\(reading.roundsDates)", "\(reading.readsNumbersAsTexts)"],
        ]
        hashes = texts.map { parts in
            // Each part is hashed with its length, so that different lists have different texts.
            StableHash.fnv1a(parts.flatMap { part in Array((part.map { "\($0.utf8.count):\($0)" } ?? "-").utf8) })
        }
    }

    /// Reads the form of ``text``; returns `nil` if another version wrote it.
    init?(_ words: some Collection<Substring>) {
        hashes = words.compactMap { UInt64($0, radix: 16) }
        guard hashes.count == Self.names.count, words.count == hashes.count else { return nil }
    }

    /// The stored form of the hashes: hexadecimal numbers that are separated by spaces.
    var text: String { hashes.map { String($0, radix: 16) }.joined(separator: " ") }

    /// Returns the names of the settings that differ.
    func differences(from other: ImportFingerprint) -> [String] {
        zip(Self.names, zip(hashes, other.hashes)).filter { $1.0 != $1.1 }.map(\.0)
    }
}
