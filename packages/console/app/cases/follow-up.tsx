import { useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { type CaseDetail, isUnanswered, refusalOf, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { allPoseurs } from '../directory/questions.js'
import { may } from '../session/session.js'
import { act } from '../system/act.js'
import { saidOf } from '../system/answered.js'
import { Dialog } from '../system/dialog.js'
import { say, sayFailed } from '../system/notices.js'
import { Card } from '../system/page.js'
import { SentSelect } from '../system/sent-select.js'
import { words } from '../words/words.js'
import { choices } from './list/filter.js'

interface Change {
  readonly statut?: 'ouvert' | 'en_cours'
  readonly priorite?: CaseDetail['priorite']
  readonly type_probleme?: CaseDetail['type_probleme']
  readonly poseur_id?: number | null
}

interface FollowUpProps {
  readonly found: CaseDetail
  /** The tag of the shown case. A change sends it, and is refused if somebody else has changed the case since. */
  readonly etag: string
}

export function FollowUp({ found, etag }: FollowUpProps) {
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const [conflict, setConflict] = useState<string | null>(null)
  const t = words.value
  const isFixed = found.statut === 'clos' || !may('sav:write')
  const assigned = found.poseur_assigne
  const params = { id: found.id }

  const put = (body: Change, headers: Record<string, string>) => sav.put('/api/v1/sav/{id}', { params, body, headers })

  /**
   * Sends a change, and offers to undo it. Resolves to whether it was accepted; rejects if there was no answer.
   * @param before the change that undoes it
   */
  const change = async (body: Change, before: Change, shown: string): Promise<boolean> => {
    try {
      const done = await put(body, { 'If-Match': etag })
      changed()
      // The undo is refused if somebody else has changed the case since.
      const headers = { 'If-Match': done.headers.get('etag') ?? '' }
      say(t.saved, () => act(() => put(before, headers), t.undone))
      return true
    } catch (error) {
      changed()
      if (isUnanswered(error)) throw error
      if (refusalOf(error)?.status === 412) setConflict(shown)
      else sayFailed(saidOf(error))
      return false
    }
  }

  const known = poseurs.filter(({ actif, id }) => actif || id === assigned?.id)
  const people = assigned && !known.some(({ id }) => id === assigned.id) ? [assigned, ...known] : known
  const nameOf = (id: number | null) => people.find((each) => each.id === id)?.nom ?? t.oneCase.unassigned
  return (
    <Card title={t.oneCase.followUp}>
      <div class="properties">
        {!isFixed && (
          <>
            <SentSelect
              etag={etag}
              name="poseur_id"
              label={t.cases.poseur}
              value={String(assigned?.id ?? '')}
              options={[['', t.oneCase.unassigned], ...people.map(({ id, nom }) => [String(id), nom] as const)]}
              send={(value) => {
                const poseur_id = Number(value) || null
                return change(
                  { poseur_id },
                  { poseur_id: assigned?.id ?? null },
                  `${t.cases.poseur} → ${nameOf(poseur_id)}`,
                )
              }}
            />
            <SentSelect
              etag={etag}
              name="statut"
              label={t.cases.statut}
              value={found.statut}
              options={(['ouvert', 'en_cours'] as const).map((each) => [each, t.statut[each]] as const)}
              send={(value) => {
                const statut = value === 'ouvert' ? 'ouvert' : 'en_cours'
                const before = statut === 'ouvert' ? 'en_cours' : 'ouvert'
                return change({ statut }, { statut: before }, `${t.cases.statut} → ${t.statut[statut]}`)
              }}
            />
            <SentSelect
              etag={etag}
              name="priorite"
              label={t.cases.priorite}
              value={found.priorite}
              options={choices.priorites.map((each) => [each, t.priorite[each]] as const)}
              send={(value) => {
                const priorite = choices.priorites.find((each) => each === value) ?? found.priorite
                return change(
                  { priorite },
                  { priorite: found.priorite },
                  `${t.cases.priorite} → ${t.priorite[priorite]}`,
                )
              }}
            />
            <SentSelect
              etag={etag}
              name="type_probleme"
              label={t.cases.type}
              value={found.type_probleme}
              options={choices.types.map((each) => [each, t.type_probleme[each]] as const)}
              send={(value) => {
                const type_probleme = choices.types.find((each) => each === value) ?? found.type_probleme
                const shown = `${t.cases.type} → ${t.type_probleme[type_probleme]}`
                return change({ type_probleme }, { type_probleme: found.type_probleme }, shown)
              }}
            />
          </>
        )}
        {isFixed && (
          <dl class="facts">
            <div>
              <dt>{t.cases.poseur}</dt>
              <dd>{assigned?.nom ?? t.oneCase.unassigned}</dd>
            </div>
          </dl>
        )}
      </div>
      {conflict !== null && (
        <Dialog title={t.oneCase.conflictTitle} onClose={() => setConflict(null)}>
          <div class="stack">
            <p>{t.oneCase.conflictText}</p>
            <p class="muted">{t.oneCase.yours}</p>
            <p class="quote">{conflict}</p>
            <div class="form-actions">
              <button type="button" class="button primary" onClick={() => setConflict(null)}>
                {t.close}
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </Card>
  )
}
