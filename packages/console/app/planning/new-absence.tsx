import { useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { type Absence, type Rdv, sav } from '../api/client.js'
import { question } from '../api/read.js'
import { dateOf, daysAfter, instantOf, today } from '../session/zone.js'
import { Dialog } from '../system/dialog.js'
import { Form, TextField } from '../system/form.js'
import { say } from '../system/notices.js'
import { words } from '../words/words.js'
import { type HitVisit, ReplacingVisits } from './replacing-visits.js'

export const absencesOfOne = question(
  async (id: number, signal) => (await sav.get('/v1/planning/poseurs/{id}/absences', { params: { id }, signal })).data,
)

export async function replaceAbsences(id: number, absences: readonly Absence[]) {
  const { data } = await sav.put('/v1/planning/poseurs/{id}/absences', {
    params: { id },
    body: { absences: [...absences] },
  })
  changed()
  return data
}

interface NewAbsenceProps {
  readonly id: number
  /** The installer's name, if the screen does not show it. */
  readonly name?: string
  /** The first day; default: today. */
  readonly date?: string
  readonly onClose: () => void
}

/** Records that somebody is away for some days, and then reassigns their visits. */
export function NewAbsence({ id, name, date = today(), onClose }: NewAbsenceProps) {
  const [toReplace, setToReplace] = useState<readonly HitVisit[] | null>(null)
  const t = words.value.worktime
  if (toReplace !== null) return <ReplacingVisits visits={toReplace} onClose={onClose} />
  return (
    <Dialog title={name === undefined ? t.add : t.awayOf(name)} onClose={onClose}>
      <Form
        keptAs={`absence/${id}`}
        submit={t.add}
        onCancel={onClose}
        onSubmit={async (fields) => {
          const { absences } = await absencesOfOne.ask(id, new AbortController().signal)
          const now = await replaceAbsences(id, [
            ...absences,
            {
              debut: instantOf(`${fields.text('du')}T00:00`),
              fin: instantOf(`${daysAfter(fields.text('au'), 1)}T00:00`),
              motif: fields.textOrNull('motif'),
            },
          ])
          say(words.value.saved)
          const hit = hitVisits(id, now.rdv, now.absences)
          if (hit.length === 0) onClose()
          else setToReplace(hit)
        }}
      >
        <div class="fields">
          <TextField name="du" label={t.from} type="date" value={date} required />
          <TextField name="au" label={t.until} type="date" value={date} required />
        </div>
        <TextField name="motif" label={t.reason} maxLength={200} />
      </Form>
    </Dialog>
  )
}

export function hitVisits(id: number, rdv: readonly Rdv[], absences: readonly Absence[]): HitVisit[] {
  return rdv.map((visit) => {
    const during = absences.filter(({ debut, fin }) => debut < visit.fin && visit.debut < fin).map(({ fin }) => fin)
    // The end of a whole day away is the next midnight, so its date is the first day back.
    const back = during.toSorted().at(-1) ?? visit.fin
    const poseur = visit.equipiers.find((each) => each.id === id)
    return { visit, along: poseur ? { poseur, back: dateOf(back) } : null }
  })
}
