extension NameList {
    /// French names.
    static let french = NameList(
        code: "fr",
        givenNames: [
            "Adèle", "Agnès", "Alain", "Alexandre", "Amélie", "Anaïs", "André", "Anne", "Antoine", "Arnaud",
            "Aurélie", "Baptiste", "Béatrice", "Benoît", "Bernard", "Brigitte", "Camille", "Catherine",
            "Cécile", "Céline", "Chantal", "Chloé", "Christophe", "Claire", "Clément", "Corinne", "Damien",
            "Daniel", "Delphine", "Denis", "Didier", "Élodie", "Émile", "Emmanuel", "Éric", "Étienne",
            "Fabien", "Florence", "Françoise", "François", "Frédéric", "Gaëlle", "Georges", "Gérard", "Gilles",
            "Guillaume", "Hélène", "Henri", "Hugo", "Inès", "Isabelle", "Jacques", "Jean-Pierre", "Jérôme",
            "Joël", "Julie", "Juliette", "Laurent", "Léa", "Loïc", "Louis", "Lucie", "Maëlle", "Manon",
            "Marie-Claire", "Mathieu", "Michel", "Monique", "Nathalie", "Nicolas", "Noémie", "Noël", "Océane",
            "Olivier", "Pascal", "Patrice", "Pierre", "Raphaël", "Rémi", "René", "Renée", "Sébastien",
            "Simone", "Solène", "Stéphane", "Sylvie", "Théo", "Thérèse", "Thierry", "Valérie", "Véronique",
            "Yves", "Zoé",
        ],
        familyNames: [
            "André", "Arnaud", "Aubert", "Barbier", "Baron", "Bernard", "Bertrand", "Blanc", "Blanchard",
            "Bonnet", "Boucher", "Bourgeois", "Boyer", "Brun", "Caron", "Chevalier", "Clément", "Colin",
            "David", "Denis", "Deschamps", "Dubois", "Dufour", "Dumas", "Dumont", "Dupont", "Dupuis", "Durand",
            "Duval", "Fabre", "Faure", "Fontaine", "Fournier", "François", "Garnier", "Gauthier", "Gautier",
            "Gérard", "Girard", "Giraud", "Guérin", "Guillaume", "Henry", "Hubert", "Joly", "Lacroix",
            "Lambert", "Laurent", "Lebrun", "Leclerc", "Lecomte", "Lefebvre", "Lefèvre", "Legrand", "Lemaire",
            "Lemoine", "Le Gall", "Leroux", "Leroy", "Lévêque", "Lucas", "Marchand", "Marie", "Martin",
            "Martinez", "Masson", "Mathieu", "Ménard", "Mercier", "Meunier", "Meyer", "Michel", "Moreau",
            "Morel", "Morin", "Moulin", "Muller", "Nicolas", "Noël", "Perrin", "Petit", "Philippe", "Picard",
            "Pierre", "Rey", "Renard", "Renaud", "Richard", "Rivière", "Robert", "Robin", "Roche", "Rolland",
            "Roussel", "Rousseau", "Roux", "Roy", "Schmitt", "Simon", "Thomas", "Vidal", "Vincent",
        ]
    )
}
