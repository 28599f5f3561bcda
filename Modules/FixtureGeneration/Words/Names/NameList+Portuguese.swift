extension NameList {
    /// Portuguese names.
    static let portuguese = NameList(
        code: "pt",
        givenNames: [
            "Adriana", "Afonso", "Alexandra", "Alice", "Amália", "Ana", "André", "Ângela", "António",
            "Armando", "Artur", "Beatriz", "Benedita", "Bernardo", "Bruna", "Bruno", "Caetano", "Camila",
            "Carla", "Carlos", "Carolina", "Catarina", "Cecília", "Célia", "César", "Cláudia", "Clara",
            "Conceição", "Cristiano", "Cristóvão", "Daniela", "David", "Débora", "Diogo", "Duarte", "Edite",
            "Eduardo", "Estêvão", "Eva", "Fábio", "Fátima", "Felipe", "Fernanda", "Fernando", "Filipa",
            "Flávio", "Francisca", "Francisco", "Frederico", "Gabriel", "Gonçalo", "Graça", "Guilherme",
            "Gustavo", "Heitor", "Helena", "Henrique", "Hugo", "Inês", "Isabel", "Ivo", "Jaime", "Joana",
            "João", "Joaquim", "Jorge", "José", "Júlia", "Júlio", "Larissa", "Laura", "Leonor", "Letícia",
            "Lourenço", "Lúcia", "Luís", "Luísa", "Madalena", "Manuel", "Mafalda", "Márcia", "Márcio",
            "Margarida", "Maria", "Mariana", "Martim", "Mateus", "Matilde", "Miguel", "Mónica", "Natália",
            "Nuno", "Otávio", "Patrícia", "Paula", "Paulo", "Pedro", "Rafael", "Raquel", "Renata", "Ricardo",
            "Rita", "Rodrigo", "Rosa", "Rúben", "Rui", "Sandra", "Sérgio", "Sílvia", "Simão", "Sofia",
            "Susana", "Tânia", "Teresa", "Tiago", "Tomás", "Vânia", "Vasco", "Vera", "Vicente", "Vítor",
        ],
        familyNames: [
            "Abreu", "Almeida", "Alves", "Amaral", "Amorim", "Andrade", "Antunes", "Araújo", "Assunção",
            "Azevedo", "Baptista", "Barbosa", "Barros", "Bento", "Borges", "Braga", "Brandão", "Brito",
            "Cabral", "Caldeira", "Campos", "Cardoso", "Carneiro", "Carvalho", "Castro", "Coelho", "Conceição",
            "Correia", "Costa", "Coutinho", "Couto", "Cruz", "Cunha", "Dias", "Domingues", "Duarte", "Esteves",
            "Faria", "Fernandes", "Ferreira", "Figueiredo", "Fonseca", "Freitas", "Frias", "Garcia", "Gaspar",
            "Godinho", "Gomes", "Gonçalves", "Guerreiro", "Guimarães", "Henriques", "Jesus", "Leal", "Leite",
            "Lima", "Lopes", "Loureiro", "Lourenço", "Macedo", "Machado", "Magalhães", "Maia", "Marques",
            "Martins", "Matias", "Matos", "Medeiros", "Melo", "Mendes", "Mendonça", "Menezes", "Miranda",
            "Monteiro", "Morais", "Moreira", "Mota", "Moura", "Nascimento", "Neto", "Neves", "Nogueira",
            "Nunes", "Oliveira", "Pacheco", "Pais", "Paiva", "Peixoto", "Pereira", "Pinheiro", "Pinho",
            "Pinto", "Pires", "Queirós", "Ramos", "Rebelo", "Reis", "Ribeiro", "Rocha", "Rodrigues", "Rosa",
            "Sá", "Salgado", "Sampaio", "Santos", "Saraiva", "Silva", "Simões", "Soares", "Sousa", "Souza",
            "Tavares", "Teixeira", "Torres", "Valente", "Vaz", "Vieira", "Vicente", "Xavier",
        ]
    )
}
