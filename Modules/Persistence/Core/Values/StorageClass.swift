package import Foundation

/// The forms in which stores keep values: a store must distinguish only these to support any attribute.
///
/// A type declares its form with ``AttributeType/storage``. A new type uses one of these forms, so that no store
/// changes.
public enum StorageClass: Sendable, Hashable, CaseIterable {
    /// An integer of 64 bits: numbers, Booleans as 0 and 1, the digits of decimals.
    case integer
    /// A binary floating-point number of 64 bits: numbers, and dates as seconds.
    case real
    /// UTF-8 without U+0000, compared by its bytes: texts, UUIDs.
    case text
    /// Binary data.
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
