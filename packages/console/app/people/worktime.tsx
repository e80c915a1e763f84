import { useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { type Absence, type Hours, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { type Day, days, hoursOf, type Week } from '../planning/hours.js'
import { absencesOfOne, hitVisits, NewAbsence, replaceAbsences } from '../planning/new-absence.js'
import { type HitVisit, ReplacingVisits } from '../planning/replacing-visits.js'
import { withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { dateOf, dayName, timeOf } from '../session/zone.js'
import { Answered, saidOf } from '../system/answered.js'
import { Dialog } from '../system/dialog.js'
import { type Fields, Form, TextField } from '../system/form.js'
import { Icon } from '../system/icons.js'
import { say, sayFailed } from '../system/notices.js'
import { Card } from '../system/page.js'
import { words } from '../words/words.js'

/** The week that applies if no period does. */
const usual = ({ periodes }: Hours): Week => periodes.find(({ du, au }) => du === null && au === null)?.semaine ?? {}

const spansText = (spans: Week[Day]) => (spans ?? []).map(({ debut, fin }) => `${debut}–${fin}`).join(', ')

/** `08:00–12:00, 13:00–17:00`, as typed; the service reports invalid parts. */
const spansOf = (text: string) =>
  text
    .split(',')
    .map((span) => span.trim())
    .filter(Boolean)
    .map((span) => {
      const [debut = '', fin = ''] = span.split(/[-–]/).map((time) => time.trim().replace(/^(\d):/, '0$1:'))
      return { debut, fin }
    })

/** Working hours and absences. */
export function Worktime({ id }: { readonly id: number }) {
  return (
    <>
      <WorkingHours id={id} />
      <Absences id={id} />
    </>
  )
}

function WorkingHours({ id }: { readonly id: number }) {
  const reading = useRead(hoursOf, id)
  const [isEditing, setEditing] = useState(false)
  const t = words.value.worktime
  return (
    <Card
      title={t.hours}
      actions={
        may('planning:write') && (
          <button type="button" class="button small" onClick={() => setEditing(true)}>
            {t.edit}
          </button>
        )
      }
    >
      <Answered reading={reading}>
        {(found) => (
          <>
            <dl class="facts facts-small facts-short">
              {days().map((day) => (
                <div key={day}>
                  <dt>{t.days[day]}</dt>
                  <dd>
                    {usual(found)[day]?.map((span) => (
                      <span key={span.debut} class="span">
                        {spansText([span])}
                      </span>
                    )) ?? <span class="muted">{t.free}</span>}
                  </dd>
                </div>
              ))}
            </dl>
            {isEditing && <EditingHours id={id} hours={found} onClose={() => setEditing(false)} />}
          </>
        )}
      </Answered>
    </Card>
  )
}

interface EditingProps {
  readonly id: number
  readonly hours: Hours
  readonly onClose: () => void
}

function EditingHours({ id, hours, onClose }: EditingProps) {
  const t = words.value.worktime
  const save = async (fields: Fields) => {
    const semaine = Object.fromEntries(days().map((day) => [day, spansOf(fields.text(day))]))
    const others = hours.periodes.filter(({ du, au }) => du !== null || au !== null)
    await sav.put('/v1/planning/poseurs/{id}/horaires', {
      params: { id },
      body: { periodes: [{ du: null, au: null, semaine }, ...others], exceptions: hours.exceptions },
    })
    onClose()
    say(words.value.saved)
    changed()
  }
  return (
    <Dialog title={t.hours} onClose={onClose}>
      <div class="stack">
        <p class="muted">{t.hoursHint}</p>
        <Form keptAs={`hours/${id}`} submit={words.value.save} onCancel={onClose} onSubmit={save}>
          {days().map((day) => (
            <TextField key={day} name={day} label={t.days[day]} value={spansText(usual(hours)[day])} maxLength={200} />
          ))}
        </Form>
      </div>
    </Dialog>
  )
}

function Absences({ id }: { readonly id: number }) {
  const reading = useRead(absencesOfOne, id)
  const [isAdding, setAdding] = useState(false)
  const [toReplace, setToReplace] = useState<readonly HitVisit[]>([])
  const t = words.value.worktime
  const remove = async (all: readonly Absence[], gone: Absence) => {
    try {
      await replaceAbsences(
        id,
        all.filter((each) => each !== gone),
      )
      say(t.removed, () => replaceAbsences(id, all).catch((error: unknown) => sayFailed(saidOf(error))))
    } catch (error) {
      sayFailed(saidOf(error))
    }
  }
  return (
    <Card
      title={t.absences}
      actions={
        may('planning:write') && (
          <button type="button" class="button small" onClick={() => setAdding(true)}>
            {t.add}
          </button>
        )
      }
    >
      <Answered reading={reading}>
        {({ absences, rdv }) => (
          <div class="stack-small">
            {absences.length === 0 && <p class="muted">{t.none}</p>}
            <ul class="lines">
              {absences.map((each) => (
                <li key={`${each.debut}${each.fin}${each.motif}`} class="row-apart">
                  <span>
                    {spanText(each)}
                    {each.motif && <span class="muted"> {each.motif}</span>}
                  </span>
                  {may('planning:write') && (
                    <button type="button" class="quiet" aria-label={t.remove} onClick={() => remove(absences, each)}>
                      <Icon name="close" size={14} />
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {rdv.length > 0 && (
              <p class="hint-box small">
                <Icon name="warning" size={16} />
                <span>
                  {t.hits}{' '}
                  {rdv.map((visit) => (
                    <a key={visit.id} href={withQuery('/planning', { date: dateOf(visit.debut), rdv: visit.id })}>
                      {`${dayName(dateOf(visit.debut))}, ${timeOf(visit.debut)}`}{' '}
                    </a>
                  ))}
                </span>
              </p>
            )}
            {may('planning:write') && rdv.length > 0 && (
              <button type="button" class="button small" onClick={() => setToReplace(hitVisits(id, rdv, absences))}>
                {t.replace}
              </button>
            )}
            {toReplace.length > 0 && <ReplacingVisits visits={toReplace} onClose={() => setToReplace([])} />}
          </div>
        )}
      </Answered>
      {isAdding && <NewAbsence id={id} onClose={() => setAdding(false)} />}
    </Card>
  )
}

/** An absence ends at the midnight after its last day, so its last day is the date just before its end. */
const spanText = ({ debut, fin }: Absence) => {
  const last = new Date(Date.parse(fin) - 1).toISOString()
  const [from, until] = [dayName(dateOf(debut)), dayName(dateOf(last))]
  return from === until ? from : `${from} – ${until}`
}
