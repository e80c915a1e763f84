import type { Constat, ConstatCode } from '../api.js'
import { tellInstead } from '../state/facts.js'
import { sayFailed } from '../state/notices.js'
import { zone } from '../state/own.js'
import type { Item } from '../sync/item.js'
import { momentOf } from '../words/formats.js'
import { words } from '../words/words.js'

interface FindingsProps {
  readonly item: Item
  readonly constat: Constat
}

/**
 * A sentence for each finding about a report, such as what the office did meanwhile, with the actions that it offers.
 */
export function Findings({ item, constat }: FindingsProps) {
  return (
    <div class="stack">
      {constat.codes.map((code) => (
        <div key={code} class="box warn">
          <p>{sentenceOf(code, constat)}</p>
          {code === 'description_changee' && constat.description !== null && <Difference {...constat.description} />}
          {code === 'creneau_pris' && <Alternatives item={item} constat={constat} />}
        </div>
      ))}
    </div>
  )
}

function sentenceOf(code: ConstatCode, { rdv, souhait }: Constat): string {
  const t = words.value.constats
  switch (code) {
    case 'rdv_deplace':
      return rdv === null ? t.other : t.rdv_deplace(momentOf(rdv.debut, zone.value))
    case 'rdv_donne':
      return rdv === null ? t.other : t.rdv_donne(rdv.poseur.nom)
    case 'souhait':
      return t.souhait(souhait ?? '')
    default:
      // A newer service may report findings that this phone does not know.
      return words.value.constats[code] ?? t.other
  }
}

function Difference({ signee, actuelle }: { readonly signee: string; readonly actuelle: string }) {
  const t = words.value.constats
  return (
    <dl class="difference">
      <dt>{t.signed}</dt>
      <dd class="prose">{signee}</dd>
      <dt>{t.now}</dt>
      <dd class="prose">{actuelle}</dd>
    </dl>
  )
}

/** Shown when the wanted time is taken: each tap on an alternative books it. */
function Alternatives({ item, constat }: FindingsProps) {
  const { sav_id } = item
  if (constat.alternatives.length === 0 || sav_id === null) return <p>{words.value.constats.noneFree}</p>
  const take = (jeton: string) => tellInstead(item, { operation: 'rdv', body: { jeton, sav_id } })
  return (
    <div class="stack">
      {constat.alternatives.map(({ debut, jeton }) => (
        <button key={jeton} type="button" class="button" onClick={() => take(jeton).catch(sayFailed)}>
          {momentOf(debut, zone.value)}
        </button>
      ))}
    </div>
  )
}
