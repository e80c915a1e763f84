// Made from the schemas of inputs.gen.ts: npm test -- client-operations -u rewrites it.

/** What each use case takes. */
export interface Inputs {
  device: {
    /** Name. At most 60 characters. */
    nom: string
    /** How many writes the phone has not sent yet. From 0 to 100000. */
    en_attente: number
  }
  invite: {
    /** Channel: by which way a text goes. */
    canal?: 'email' | 'lien' | undefined
  }
  addUser: {
    /** Name. At most 120 characters. */
    nom: string
    /** E-mail address. At most 254 characters. */
    email: string
    /** Role, which decides what a person may do. */
    role: 'administration' | 'gestion' | 'atelier' | 'poseur' | 'lecture'
    /** Number of the installer. */
    poseur_id?: number | null | undefined
  }
  updateUser: {
    /** Name. At most 120 characters. */
    nom?: string | undefined
    /** E-mail address. At most 254 characters. */
    email?: string | undefined
    /** Role, which decides what a person may do. */
    role?: 'administration' | 'gestion' | 'atelier' | 'poseur' | 'lecture' | undefined
    /** Number of the installer. */
    poseur_id?: number | null | undefined
    /** Whether they still work here. */
    actif?: boolean | undefined
  }
}
