import type { CaseSummary } from '../api/client.js'
import { Badge, type Tone } from '../system/bits.js'
import { words } from '../words/words.js'

const statusTones = { ouvert: 'warn', en_cours: 'busy', clos: 'good' } as const satisfies Record<string, Tone>
const priorityTones = { basse: 'plain', normale: 'plain', haute: 'warn', urgente: 'bad' } as const satisfies Record<
  string,
  Tone
>

export function Status({ of }: { readonly of: CaseSummary['statut'] }) {
  return <Badge tone={statusTones[of]}>{words.value.statut[of]}</Badge>
}

export const isPressing = (priority: CaseSummary['priorite']): boolean => priority === 'haute' || priority === 'urgente'

/** Normal priority has no mark. */
export function Priority({ of }: { readonly of: CaseSummary['priorite'] }) {
  if (of === 'normale') return <span class="muted">{words.value.priorite[of]}</span>
  return <Badge tone={priorityTones[of]}>{words.value.priorite[of]}</Badge>
}
