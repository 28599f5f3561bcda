/// Elements that never change, read through a pointer.
///
/// Several threads that read one array count its users, each time, in the one place where all of them count. What is read here is not
/// counted: the pointer is good for as long as the value is held.
///
/// SAFETY: the memory is written before anybody else sees it, and given back with the last copy of the value.
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
