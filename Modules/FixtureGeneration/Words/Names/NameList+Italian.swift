extension NameList {
    /// Italian names.
    static let italian = NameList(
        code: "it",
        givenNames: [
            "Alberto", "Alessandra", "Alessandro", "Alessia", "Alice", "Andrea", "Angela", "Anna", "Antonella",
            "Antonio", "Arianna", "Aurora", "Barbara", "Beatrice", "Bruno", "Camilla", "Carla", "Carlo",
            "Caterina", "Chiara", "Claudia", "Claudio", "Cristina", "Daniele", "Davide", "Domenico", "Elena",
            "Eleonora", "Elisa", "Emanuele", "Enrico", "Fabio", "Federica", "Federico", "Filippo", "Francesca",
            "Francesco", "Gabriele", "Giacomo", "Gianluca", "Giorgia", "Giorgio", "Giovanna", "Giovanni",
            "Giulia", "Giuseppe", "Ilaria", "Irene", "Laura", "Leonardo", "Lorenzo", "Luca", "Lucia", "Luigi",
            "Marco", "Maria", "Martina", "Massimo", "Matteo", "Mattia", "Michele", "Monica", "Nicola",
            "Niccolò", "Noemi", "Paola", "Paolo", "Pietro", "Raffaele", "Riccardo", "Roberta", "Roberto",
            "Rosa", "Salvatore", "Sara", "Sebastiano", "Serena", "Silvia", "Simone", "Sofia", "Stefania",
            "Stefano", "Teresa", "Tommaso", "Umberto", "Valentina", "Vincenzo", "Viola", "Vittoria",
        ],
        familyNames: [
            "Amato", "Barbieri", "Basile", "Battaglia", "Bellini", "Benedetti", "Bernardi", "Bianchi",
            "Bianco", "Bruno", "Calabrese", "Caputo", "Carbone", "Caruso", "Castelli", "Cattaneo", "Colombo",
            "Conte", "Conti", "Coppola", "Costa", "Costantini", "D'Agostino", "D'Amico", "D'Angelo",
            "De Angelis", "De Luca", "De Rosa", "De Santis", "Di Stefano", "Donati", "Esposito", "Fabbri",
            "Farina", "Ferrara", "Ferrari", "Ferraro", "Ferri", "Ferretti", "Fiore", "Fontana", "Galli",
            "Gallo", "Gatti", "Gentile", "Giordano", "Giuliani", "Grassi", "Grasso", "Greco", "Guerra",
            "Guidi", "Leone", "Lombardi", "Lombardo", "Longo", "Mancini", "Marchetti", "Marchi", "Mariani",
            "Marini", "Marino", "Martinelli", "Martini", "Mazza", "Messina", "Milani", "Monti", "Morelli",
            "Moretti", "Negri", "Orlando", "Pagano", "Palmieri", "Palumbo", "Parisi", "Pellegrini",
            "Pellegrino", "Piras", "Poli", "Ricci", "Riva", "Rinaldi", "Rizzi", "Rizzo", "Romano", "Rossetti",
            "Rossi", "Ruggiero", "Russo", "Sala", "Sanna", "Santoro", "Sartori", "Serra", "Silvestri",
            "Sorrentino", "Testa", "Valente", "Valentini", "Villa", "Vitale", "Vitali", "Nicolò",
        ]
    )
}
