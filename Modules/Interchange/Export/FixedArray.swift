/// An immutable array that several threads read without updating a reference count.
///
/// If several threads read the same Swift array, each access updates the array's reference count in the same memory
/// location, which slows all of them down. This type is read through a pointer, without reference counting. The pointer
/// is valid as long as a copy of the value exists.
///
/// SAFETY: the memory is written before any other code can access it, and deallocated with the last copy of the value.
struct FixedArray<Element: Sendable>: @unchecked Sendable {
    private final class Storage {
        let elements: UnsafeMutableBufferPointer<Element>

        init(_ array: [Element]) {
            elements = .allocate(capacity: array.count)
            _ = elements.initialize(from: array)
        }

        deinit {
            elements.deinitialize()
            elements.deallocate()
        }
    }

    private let storage: Storage
    let elements: UnsafeBufferPointer<Element>

    init(_ array: [Element]) {
        storage = Storage(array)
        elements = UnsafeBufferPointer(storage.elements)
    }
}
