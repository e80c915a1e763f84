import type { HistoryRow } from '../api/client.js'
import { useRead } from '../api/read.js'
import { allPoseurs } from '../directory/questions.js'
import { Time } from '../system/bits.js'
import { Card } from '../system/page.js'
import { words } from '../words/words.js'

/** The history of a case, newest first. */
export function History({ rows }: { readonly rows: readonly HistoryRow[] }) {
  const t = words.value.oneCase
  return (
    <Card title={t.timeline} class="case-last">
      <ol class="timeline">
        {/* Comments are shown separately, and so are closes that arrived too late. */}
        {rows
          .filter(({ type, champ }) => type !== 'commentaire' && (type !== 'addendum' || champ === 'addendum'))
          .toReversed()
          .map((row) => (
            <li key={row.id} class={row.type === 'cloture' ? 'good' : undefined}>
              <p>
                <strong>{actorName(row.acteur)}</strong> <What row={row} />
              </p>
              {row.commentaire && <p class="quote">{words.value.stored(row.commentaire)}</p>}
              {row.champ === 'notes_internes' && row.ancienne_valeur !== null && (
                <div class="note-before stack-small">
                  <span class="muted small">{t.noteBefore}</span>
                  <p class="quote">{words.value.stored(String(row.ancienne_valeur))}</p>
                </div>
              )}
              <span class="muted small">
                <Time at={row.date} />
              </span>
            </li>
          ))}
      </ol>
    </Card>
  )
}

/** The actor, as the beginning of a sentence. */
export function actorName({ type, nom }: HistoryRow['acteur']): string {
  const t = words.value.oneCase
  return type === 'systeme' ? t.system : type === 'client' ? t.customer : nom
}

function What({ row: { type, champ, ancienne_valeur, nouvelle_valeur } }: { readonly row: HistoryRow }) {
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const { oneCase: t, statut, priorite, type_probleme } = words.value
  const texts: Readonly<Record<string, string>> = { ...statut, ...priorite, ...type_probleme }
  const nameOf = (value: string | number | null) => {
    if (value === null) return t.nobody
    if (champ === 'poseur_id') return poseurs.find(({ id }) => id === Number(value))?.nom ?? String(value)
    return texts[value] ?? String(value)
  }
  if (champ === 'poseur_id' && type === 'modification')
    return (
      <>
        {nouvelle_valeur === null
          ? t.unassignedFrom(nameOf(ancienne_valeur))
          : ancienne_valeur === null
            ? t.assignedTo(nameOf(nouvelle_valeur))
            : t.reassigned(nameOf(ancienne_valeur), nameOf(nouvelle_valeur))}
      </>
    )
  const showsValues = champ !== null && champ !== 'notes_internes' && type === 'modification'
  return (
    <>
      {t.history[type]}
      {champ !== null && type === 'modification' && ` ${t.champ(champ)}`}
      {showsValues && <span class="muted"> {t.fromTo(nameOf(ancienne_valeur), nameOf(nouvelle_valeur))}</span>}
    </>
  )
}
