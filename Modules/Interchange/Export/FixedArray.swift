/// An immutable array that is read through a pointer.
///
/// Several threads that read the same Swift array update its reference count at each access, in the same memory
/// location, which slows all of them down. Reading a pointer updates no reference count. The pointer is valid as long
/// as the value exists.
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
