/**
 * The kinds of actors: `cle` is an API key, `utilisateur` a person who signed in, `cli` a person who runs `sav` on the
 * machine, `systeme` the service itself, `client` a customer.
 */
export const actorTypes = ['cle', 'utilisateur', 'cli', 'systeme', 'client'] as const
/** The kind of an actor: see `actorTypes`. */
export type ActorType = (typeof actorTypes)[number]

/** The actor of a change, as the history of a case shows it. */
export interface Actor {
  readonly account_id: string
  readonly type: ActorType
  /** The id of the API key (`key_…`) or of the user (`usr_…`); null if there is neither. */
  readonly id: string | null
  readonly nom: string
  /** The user's id as an installer. Visits assigned to this installer are the user's own. */
  readonly poseur_id?: number | null
}
