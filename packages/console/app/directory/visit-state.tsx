import type { Rdv } from '../api/client.js'
import { Badge, type Tone } from '../system/bits.js'
import { words } from '../words/words.js'

const tones = {
  propose: 'plain',
  planifie: 'plain',
  confirme: 'good',
  en_cours: 'busy',
  realise: 'good',
  annule: 'bad',
  absent: 'bad',
} as const satisfies Record<Rdv['statut'], Tone>

export function VisitState({ of }: { readonly of: Rdv['statut'] }) {
  return <Badge tone={tones[of]}>{words.value.rdv.statut[of]}</Badge>
}
