// Names that every service uses for types. Strata has no type of these names, so a file that imports both needs no
// qualification.

package struct Entity: Sendable, Hashable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }
}

package struct Property: Sendable, Hashable {
    package let address: String

    package init(address: String) {
        self.address = address
    }
}

package struct Link: Sendable, Hashable {
    package let target: String

    package init(to target: String) {
        self.target = target
    }
}

package enum Condition: Sendable, Hashable { case new, used }
package enum Comparison: Sendable, Hashable { case cheaper, dearer }
package enum Operand: Sendable, Hashable { case left, right }
package enum Arithmetic: Sendable, Hashable { case exact, rounded }
package enum Filter: Sendable, Hashable { case all, ofCustomer }
package enum Place: Sendable, Hashable { case shop, web }
