import * as z from 'zod'
import { lazily } from './lazily.js'
import { idOf, type Shape } from './shape.js'

/** How a client is called: a person, or a company, whose `nom` and `prenom` are those of whom one speaks with there. */
export const clientNamesShape = lazily(() =>
  z.object({
    id: idOf('the client'),
    nom: z.string(),
    prenom: z.string().describe('Empty for a company without a contact.'),
    raison_sociale: z.string().optional().describe('Of a company; absent for a person.'),
  }),
)

/** The names of a client, in the place where one is only named. */
export type ClientNames = Omit<Shape<typeof clientNamesShape>, 'id'>

interface StoredNames {
  readonly nom: string
  readonly prenom: string
  readonly raison_sociale: string | null
}

export const namesOf = ({ nom, prenom, raison_sociale }: StoredNames): ClientNames => ({
  nom,
  prenom,
  ...(raison_sociale !== null && { raison_sociale }),
})

/** What a client is called in a list or a greeting: the company, else the person. */
export const spokenName = ({
  nom,
  prenom,
  raison_sociale,
}: {
  readonly nom: string
  readonly prenom: string
  readonly raison_sociale?: string | null | undefined
}): string => raison_sociale ?? `${prenom} ${nom}`.trim()
