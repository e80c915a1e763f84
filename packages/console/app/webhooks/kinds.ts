import type { EventKind } from '../api/client.js'
import { fr } from '../words/fr.js'

const isKind = (name: string): name is EventKind => name in fr.webhooks.kinds

/** In the order in which they are offered. A kind that has no words does not compile. */
export const allKinds: readonly EventKind[] = Object.keys(fr.webhooks.kinds satisfies Record<EventKind, string>).filter(
  isKind,
)
