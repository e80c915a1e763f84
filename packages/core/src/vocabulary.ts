/** The words of the wire that more than one feature knows. Field names and values are the same in every request, answer, event and column. */

export const statuts = ['ouvert', 'en_cours', 'clos'] as const
export const priorites = ['basse', 'normale', 'haute', 'urgente'] as const
export const typesProbleme = ['quincaillerie', 'electromenager', 'plan_travail', 'facade', 'reglage', 'autre'] as const

export type Statut = (typeof statuts)[number]
export type Priorite = (typeof priorites)[number]
export type TypeProbleme = (typeof typesProbleme)[number]
