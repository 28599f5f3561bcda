package import Foundation

/// The forms in which stores keep values: all that a store has to tell apart to keep any attribute.
///
/// A type says which one it uses, ``AttributeType/storage``; a new type uses one of these and no store changes.
public enum StorageClass: Sendable, Hashable, CaseIterable {
    /// A whole number of 64 bits: numbers, truth values as 0 and 1, the digits of decimals.
    case integer
    /// A binary floating-point number of 64 bits: numbers, and dates as seconds.
    case real
    /// UTF-8 without U+0000, compared by its bytes: texts, UUIDs.
    case text
    /// Bytes.
    case blob
}

/// A value in the form in which stores keep it.
package enum StoredForm {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

extension AttributeType {
    /// The form in which stores keep values of the type.
    public var storage: StorageClass { coding.storage }
}
