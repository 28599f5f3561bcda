import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Bounds on the number of join rows of an object on the side of the join table that did not write them.
@Suite("Bounds on join rows")
struct CountedPairsTests {
    struct Student: PersistentRecord {
        let id: LibraryID

        static let courses = ToMany<Student, Course>("courses", to: "Course", inverse: "students")
        static let entity = RecordEntity<Student>("Student", id: \.id, [.relationship(courses)]) {
            Student(id: try $0.id())
        }
    }

    /// A course for at most two students; the students' side stores the join rows.
    struct Course: PersistentRecord {
        let id: LibraryID

        static let students = ToMany<Course, Student>("students", to: "Student", inverse: "courses", maximumCount: 2)
        static let entity = RecordEntity<Course>("Course", id: \.id, [.relationship(students)]) {
            Course(id: try $0.id())
        }
    }

    @Test(
        "a save validates the maximum of join rows from either side of the relationship", arguments: StoreKind.allCases,
        [false, true])
    func otherSide(_ kind: StoreKind, _ isAddedToCourse: Bool) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Student.self, Course.self]))
        try stack.background.performAndWait { context in
            let course = try context.insert(Course(id: 1))
            let students = try [1, 2, 3].map { try context.insert(Student(id: $0)) }
            for student in students.prefix(2) { try context.add(student, to: \.students, of: course) }
            try context.save()
            if isAddedToCourse {
                try context.add(students[2], to: \.students, of: course)
            } else {
                try context.add(course, to: \.courses, of: students[2])
            }
            let error = try persistenceError { try context.save() }
            #expect(error.failures.map(\.debugDescription) == ["Course 1, students: 3 is above the maximum count of 2"])
        }
    }

    @Test(
        "a save counts a symmetric join row at both ends", arguments: StoreKind.allCases,
        [1, 4] as [LibraryID])
    func symmetric(_ kind: StoreKind, _ full: LibraryID) throws {
        let stack = try kind.stack(try Halls.model())
        _ = try stack.container.coordinator.store.save(Halls.filled.changes)
        try stack.background.performAndWait { context in
            func hall(_ id: LibraryID) throws -> Managed<Halls.Hall> { try context.existingObject(with: id) }
            for other in [2, 3] as [LibraryID] { try context.add(try hall(other), to: \.twins, of: try hall(full)) }
            try context.save()
            let last: LibraryID = full == 1 ? 4 : 1
            try context.add(try hall(full), to: \.twins, of: try hall(last))
            let error = try persistenceError { try context.save() }
            #expect(
                error.failures.map(\.debugDescription) == [
                    "Hall \(full.rawValue), twins: 3 is above the maximum count of 2"
                ])
        }
    }
}
