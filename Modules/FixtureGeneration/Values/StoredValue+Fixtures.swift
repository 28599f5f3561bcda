import Foundation
import StrataCore

extension StoredValue {
    /// The text of the value in `oneOf`, or `nil` for null and for values that fixtures do not support.
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

    /// The text of the value in datasets, or `nil` if it has none, such as an instant outside the calendar.
    private var written: String? {
        var buffer = ByteBuffer()
        do { try coding?.write(self, to: &buffer) } catch { return nil }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
