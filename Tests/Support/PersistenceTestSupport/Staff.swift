package import StrataPersistence

/// Employees, bosses and companies, with an attribute of every type and some whose names are keywords.
package enum Staff {
    package static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([employee, boss, company, badge])
    }

    private static let employee = EntityDescription(
        "Employee",
        [
            .attribute(.init("firstName", .string, isOptional: true)),
            .attribute(.init("lastName", .string)),
            .attribute(.init("salary", .decimal(scale: 2), isOptional: true)),
            .attribute(.init("rating", .double, isOptional: true)),
            .attribute(.init("age", .integer64, isOptional: true)),
            .attribute(.init("dateHired", .date, isOptional: true, isImmutable: true)),
            .attribute(.init("token", .uuid, isOptional: true)),
            .attribute(.init("isActive", .boolean, isOptional: true)),
            .attribute(.init("photo", .binary, isOptional: true)),
            .attribute(.init("between", .integer64, isOptional: true)),
            .relationship(.init("boss", to: "Boss", .toOne, inverse: "employees")),
            .relationship(.init("badge", to: "Badge", .toOne, inverse: "holder", ownsForeignKey: false)),
        ])

    private static let boss = EntityDescription(
        "Boss",
        [
            .attribute(.init("lastName", .string)),
            .attribute(.init("age", .integer64, isOptional: true)),
            .relationship(.init("employees", to: "Employee", .toMany, inverse: "boss")),
            .relationship(.init("company", to: "Company", .toOne, inverse: "bosses")),
        ])

    private static let company = EntityDescription(
        "Company",
        [
            .attribute(.init("name", .string)),
            .relationship(.init("bosses", to: "Boss", .toMany, inverse: "company")),
        ])

    private static let badge = EntityDescription(
        "Badge",
        [
            .attribute(.init("number", .integer64)),
            .relationship(.init("holder", to: "Employee", .toOne, inverse: "badge")),
        ])
}
