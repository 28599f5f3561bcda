extension NameList {
    /// Spanish names.
    static let spanish = NameList(
        code: "es",
        givenNames: [
            "Adrián", "Agustín", "Alba", "Alejandro", "Alicia", "Álvaro", "Ana", "Andrés", "Ángel", "Antonia",
            "Antonio", "Beatriz", "Begoña", "Blanca", "Carlos", "Carmen", "Carolina", "César", "Concepción",
            "Consuelo", "Cristina", "Daniel", "David", "Diego", "Dolores", "Eduardo", "Elena", "Emilio",
            "Encarnación", "Enrique", "Esteban", "Eva", "Felipe", "Fernando", "Francisca", "Francisco",
            "Gabriel", "Gonzalo", "Guadalupe", "Héctor", "Hugo", "Ignacio", "Inés", "Iñigo", "Irene", "Isabel",
            "Iván", "Jaime", "Javier", "Jesús", "Jimena", "Joaquín", "Jorge", "José", "Josefa", "Juan",
            "Julia", "Julián", "Laura", "Lorena", "Lourdes", "Lucía", "Luis", "Luz", "Manuel", "Marcos",
            "María", "Mario", "Marta", "Martín", "Mercedes", "Miguel", "Mónica", "Nicolás", "Noelia", "Nuria",
            "Óscar", "Pablo", "Paloma", "Patricia", "Paula", "Pedro", "Pilar", "Rafael", "Ramón", "Raquel",
            "Raúl", "Roberto", "Rocío", "Rosario", "Rubén", "Salvador", "Sara", "Sebastián", "Sergio", "Sofía",
            "Susana", "Teresa", "Tomás", "Verónica", "Vicente", "Víctor", "Ximena",
        ],
        familyNames: [
            "Aguilar", "Alonso", "Álvarez", "Arias", "Benítez", "Blanco", "Bravo", "Caballero", "Cabrera",
            "Calvo", "Campos", "Cano", "Carmona", "Carrasco", "Castillo", "Castro", "Cortés", "Crespo", "Cruz",
            "Delgado", "Díaz", "Díez", "Domínguez", "Durán", "Esteban", "Fernández", "Ferrer", "Flores",
            "Fuentes", "Gallardo", "Gallego", "García", "Garrido", "Gil", "Giménez", "Gómez", "González",
            "Guerrero", "Gutiérrez", "Hernández", "Herrera", "Herrero", "Ibáñez", "Iglesias", "Jiménez",
            "León", "López", "Lorenzo", "Lozano", "Marín", "Márquez", "Martín", "Martínez", "Medina", "Méndez",
            "Molina", "Montero", "Mora", "Morales", "Moreno", "Moya", "Muñoz", "Navarro", "Nieto", "Núñez",
            "Ortega", "Ortiz", "Parra", "Pascual", "Peña", "Pérez", "Prieto", "Ramírez", "Ramos", "Reyes",
            "Rodríguez", "Rojas", "Román", "Romero", "Rubio", "Ruiz", "Sáez", "Sánchez", "Santana", "Santiago",
            "Santos", "Sanz", "Serrano", "Soler", "Soto", "Suárez", "Torres", "Vargas", "Vázquez", "Vega",
            "Velasco", "Vicente", "Vidal", "Yáñez",
        ]
    )
}
