import StrataCore

/// The decision whether a document that begins with an object consists of records, from its first 64 KiB.
///
/// An object that is followed by another one is the first line of NDJSON. An object alone is one record if it has a
/// scalar value and no array of objects. Otherwise the elements of the array, or the object's members, are the records.
struct JSONRecognition {
    /// The count of bytes that are inspected.
    static let byteCount = 64 * 1024

    /// A Boolean value that indicates whether the objects of the document are records.
    let holdsRecords: Bool

    /// Inspects the beginning of a document.
    ///
    /// - Parameters:
    ///   - bytes: The beginning of the document, from the brace on.
    ///   - isWhole: A Boolean value that indicates whether `bytes` is the whole document.
    init(_ bytes: ArraySlice<UInt8>, isWhole: Bool) {
        guard let end = Self.endOfObject(bytes) else {
            holdsRecords = false
            return
        }
        let next = bytes[end...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        holdsRecords = next == UInt8(ascii: "{") || (next == nil && isWhole && Self.isRecord(Array(bytes[..<end])))
    }

    /// Returns the index after the brace that closes the first object.
    private static func endOfObject(_ bytes: ArraySlice<UInt8>) -> Int? {
        var (depth, isString, isEscaped) = (0, false, false)
        for place in bytes.indices {
            let byte = bytes[place]
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return place + 1 }
            default: break
            }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether an object alone in its document is a record.
    ///
    /// Nested objects do not count, because both a record and a container of records may have them.
    private static func isRecord(_ bytes: [UInt8]) -> Bool {
        do throws(JSONSyntaxError) {
            guard case .object(let members) = try JSONTreeReader.read(bytes).content else { return false }
            var hasValue = false
            for member in members {
                switch member.value.content {
                case .object: continue
                case .array(let elements):
                    let hasObject = elements.contains { if case .object = $0.content { true } else { false } }
                    if elements.isEmpty || hasObject { return false }
                default: hasValue = true
                }
            }
            return hasValue
        } catch {
            // The reader reports the error.
            return false
        }
    }
}
