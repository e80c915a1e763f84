import type { EventKind } from '../api/client.js'
import { has } from '../session/session.js'
import { words } from '../words/words.js'

const isKind = (name: string): name is EventKind => name in words.peek().webhooks.kinds

/** The event kinds of this service, in the order of the list. A kind without words does not compile. */
export const allKinds = (): readonly EventKind[] =>
  Object.keys(words.peek().webhooks.kinds satisfies Record<EventKind, string>)
    .filter(isKind)
    .filter((kind) => !kind.startsWith('rdv.') || has('planning'))
