import { useRef, useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { type CaseDetail, refusalOf, sav } from '../api/client.js'
import { may } from '../session/session.js'
import { saidOf } from '../system/answered.js'
import { Time } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { Form, IncompleteFormError, TextArea } from '../system/form.js'
import { say, sayFailed } from '../system/notices.js'
import { inThisTab } from '../system/typed.js'
import { words } from '../words/words.js'
import { caseById } from './questions.js'

interface CaseVersion {
  readonly found: CaseDetail
  /** The tag of the shown case. A change sends it, and is refused if somebody else has changed the case since. */
  readonly etag: string
}

interface Conflict {
  /** The case with the other person's change. */
  readonly now: CaseVersion
  readonly mine: string
}

/**
 * The team's notes above its comments. If others change the notes meanwhile, the typed text stays in the field until
 * the user has seen both versions and chosen one.
 */
export function Notes({ found, etag }: CaseVersion) {
  const seen = useRef<CaseVersion>({ found, etag })
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [settled, setSettled] = useState(0)
  const t = words.value.oneCase
  const keptAs = `notes/${found.id}`
  const isTyped = inThisTab(keptAs).read() !== null
  // Notes by others that arrive while the user types are not shown, so they do not count as seen.
  if (!isTyped || seen.current.found.notes_internes === found.notes_internes) seen.current = { found, etag }
  const shown = found.notes_internes && words.value.stored(found.notes_internes)
  if (!may('sav:write')) return shown ? <p class="pinned prose">{shown}</p> : null

  /** @throws IncompleteFormError if the notes are no longer those of `over`; the screen then shows both versions */
  const save = async (mine: string, over: CaseVersion): Promise<void> => {
    const params = { id: found.id }
    try {
      const body = { notes_internes: mine || null }
      const { headers } = await sav.put('/api/v1/sav/{id}', { params, body, headers: { 'If-Match': over.etag } })
      // What the user types from now on is based on the notes just saved.
      seen.current = { found: { ...over.found, ...body }, etag: headers.get('etag') ?? over.etag }
      say(words.value.saved)
    } catch (error) {
      if (refusalOf(error)?.status !== 412) throw error
      const now = await caseById.ask(found.id, new AbortController().signal)
      // A change of another field of the case is no conflict.
      if (now.found.notes_internes === over.found.notes_internes) return save(mine, now)
      setConflict({ now, mine })
      throw new IncompleteFormError()
    } finally {
      changed()
    }
  }

  const settle = async (text: string | null, { now }: Conflict) => {
    setConflict(null)
    try {
      if (text !== null) await save(text, now)
      inThisTab(keptAs).forget()
      setSettled(settled + 1)
    } catch (error) {
      if (!(error instanceof IncompleteFormError)) sayFailed(saidOf(error))
    }
  }

  return (
    <details
      class={found.notes_internes ? 'pinned inline-form' : 'inline-form'}
      open={isTyped || !!found.notes_internes}
    >
      <summary>{t.pin}</summary>
      <Form
        key={settled}
        keptAs={keptAs}
        submit={t.saveNotes}
        tone="plain"
        onSubmit={(fields) => save(fields.text('notes_internes'), seen.current)}
      >
        <TextArea name="notes_internes" label={t.notes} hint={t.notesHint} value={shown} rows={1} maxLength={5000} />
      </Form>
      {conflict && (
        <TwoNotes conflict={conflict} onChoose={(text) => settle(text, conflict)} onClose={() => setConflict(null)} />
      )}
    </details>
  )
}

interface TwoNotesProps {
  readonly conflict: Conflict
  /** @param text the new notes; null: the current ones */
  readonly onChoose: (text: string | null) => void
  readonly onClose: () => void
}

function TwoNotes({ conflict: { now, mine }, onChoose, onClose }: TwoNotesProps) {
  const { notes_internes: theirs, historique } = now.found
  const change = historique.findLast(({ champ }) => champ === 'notes_internes')
  const t = words.value.oneCase
  return (
    <Dialog title={t.conflictTitle} wide onClose={onClose}>
      <div class="stack">
        <p>{t.twoNotes.text}</p>
        <div class="fields">
          <section class="stack-small">
            <h3>{t.twoNotes.now}</h3>
            <p class="quote">{theirs ?? t.twoNotes.none}</p>
            {change && (
              <p class="muted small">
                {change.acteur.nom} · <Time at={change.date} />
              </p>
            )}
          </section>
          <section class="stack-small">
            <h3>{t.twoNotes.mine}</h3>
            <p class="quote">{mine || t.twoNotes.none}</p>
          </section>
        </div>
        <div class="form-actions">
          <button type="button" class="button" onClick={() => onChoose(null)}>
            {t.twoNotes.keepTheirs}
          </button>
          <button type="button" class="button" onClick={() => onChoose(mine)}>
            {t.twoNotes.replace}
          </button>
          {theirs !== null && mine !== '' && (
            <button type="button" class="button primary" onClick={() => onChoose(`${theirs}\n\n${mine}`)}>
              {t.twoNotes.keepBoth}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  )
}
