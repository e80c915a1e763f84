import { day } from '../state/own.js'
import type { Visit } from '../sync/day.js'
import { type Draft, reservesOf } from '../sync/draft.js'
import { momentOf, personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { placeLines } from './place.js'

/** The text that the customer reads before signing; exactly this text is stored. */
export function shownText(visit: Visit, draft: Draft): string {
  const t = words.value.signing
  const { client, lieu, sav, debut, fuseau, poseur } = visit
  const told = day.value?.told
  const asked = told?.dossiers.find(({ id }) => id === sav?.id)?.description
  const reserves = reservesOf(draft)
  const parts = draft.pieces.map(({ quantite, designation }) => `${quantite} × ${designation}`).join(', ')
  const lines = [
    t.what(personName(client)),
    placeLines(lieu, client.adresse).filter(Boolean).join(', '),
    sav && t.reference(sav.reference),
    momentOf(debut, fuseau),
    t.doneBy(told?.poseur.nom ?? poseur.nom),
    asked && t.asked(asked),
    t.work(draft.texte.trim()),
    parts !== '' && t.parts(parts),
    reserves.length === 0 ? t.noReserves : t.reserves(reserves.join(' ; ')),
  ]
  return lines.filter(Boolean).join('\n')
}
