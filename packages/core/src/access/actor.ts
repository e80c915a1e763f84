/** Who does something: `cle` an API key, `cli` somebody at the machine itself, `systeme` the service of its own accord. */
export const actorTypes = ['cle', 'cli', 'systeme'] as const
export type ActorType = (typeof actorTypes)[number]

/** On whose behalf something is done, as the history of a case tells it. */
export interface Actor {
  readonly account_id: string
  readonly type: ActorType
  /** `key_…` for an API key, null where there is none. */
  readonly id: string | null
  readonly nom: string
}
