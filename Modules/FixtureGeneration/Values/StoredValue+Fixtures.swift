import Foundation
import StrataCore

extension StoredValue {
    /// The value as `oneOf` has it; `nil` for null, and for what is no value of fixtures.
    var fixtureText: String? {
        switch self {
        case .null: nil
        case .string(let text): text
        case .binary(let data): data.base64EncodedString()
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .uuid(let uuid): uuid.uuidString
        case .double(let number): "\(number)"
        default: written
        }
    }

    /// The value as datasets have it; `nil` where it cannot be written, as an instant beyond the calendar.
    private var written: String? {
        var buffer = ByteBuffer()
        do { try coding?.write(self, to: &buffer) } catch { return nil }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
