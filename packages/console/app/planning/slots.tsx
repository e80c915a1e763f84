import { useState } from 'preact/hooks'
import type { Slot } from '../api/client.js'
import { useRead } from '../api/read.js'
import { allPoseurs } from '../directory/questions.js'
import { dateOf, daysAfter, isDate, shortDayName, timeOf, today } from '../session/zone.js'
import { Answered } from '../system/answered.js'
import { SelectField, TextField } from '../system/form.js'
import { words } from '../words/words.js'
import { type AskedSlots, slotsFor } from './questions.js'

interface SlotsProps {
  readonly duree: number
  readonly place: Partial<AskedSlots>
  /** Who is looked for first; null: anybody. */
  readonly first?: number | null
  readonly onPick: (slot: Slot) => void
}

const shownADay = 6

/** Free times side by side, a column a day, those with the least added travel marked. */
export function Slots({ duree, place, first = null, onPick }: SlotsProps) {
  const [from, setFrom] = useState(today())
  const [poseur, setPoseur] = useState(first === null ? '' : String(first))
  const [fenetre, setFenetre] = useState('')
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const reading = useRead(slotsFor, {
    ...place,
    duree,
    du: from,
    au: daysAfter(from, 6),
    poseur_id: Number(poseur) || undefined,
    fenetre: fenetre || undefined,
  })
  const t = words.value.planning
  return (
    <div class="stack">
      <div class="toolbar toolbar-fields">
        <TextField
          name="from"
          label={t.from}
          type="date"
          value={from}
          onChange={(date) => setFrom(isDate(date) ? date : today())}
        />
        <SelectField
          name="slot_poseur"
          label={t.poseur}
          value={poseur}
          options={[
            ['', t.anybody],
            ...poseurs.filter(({ actif }) => actif).map(({ id, nom }) => [String(id), nom] as const),
          ]}
          onChange={setPoseur}
        />
        <SelectField
          name="window"
          label={t.partOfDay}
          value={fenetre}
          options={[
            ['', t.wholeDay],
            ['06:00-12:30', t.morning],
            ['12:30-20:00', t.afternoon],
          ]}
          onChange={setFenetre}
        />
      </div>
      <Answered reading={reading}>
        {(found) => (found.length === 0 ? <p class="muted">{t.noSlots}</p> : <ByDay slots={found} onPick={onPick} />)}
      </Answered>
    </div>
  )
}

interface ByDayProps {
  readonly slots: readonly Slot[]
  readonly onPick: (slot: Slot) => void
}

export function ByDay({ slots, onPick }: ByDayProps) {
  const best = Math.min(...slots.map(({ trajet_ajoute_minutes }) => trajet_ajoute_minutes))
  const days = Map.groupBy(slots, ({ debut }) => dateOf(debut))
  return (
    <div class="slots">
      {[...days]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([date, ofDay]) => (
          <section key={date} class="stack-small">
            <h3>{shortDayName(date)}</h3>
            <OfDay slots={ofDay} best={best} onPick={onPick} />
          </section>
        ))}
    </div>
  )
}

/** Those with the least travel, by the clock; the others of the day when they are asked for. */
function OfDay({ slots, best, onPick }: ByDayProps & { readonly best: number }) {
  const [isWhole, setWhole] = useState(false)
  const t = words.value.planning
  const shown = isWhole ? slots : slots.slice(0, shownADay)
  return (
    <>
      <ul class="stack-small">
        {shown
          .toSorted((a, b) => (a.debut < b.debut ? -1 : 1))
          .map((slot) => (
            <li key={slot.jeton}>
              <button type="button" class="slot" onClick={() => onPick(slot)}>
                <strong>{timeOf(slot.debut)}</strong>{' '}
                <span class={slot.trajet_ajoute_minutes === best ? 'small good-text' : 'small muted'}>
                  {t.added(slot.trajet_ajoute_minutes)}
                </span>{' '}
                <span class="small">{slot.poseur.nom}</span>
              </button>
            </li>
          ))}
      </ul>
      {shown.length < slots.length && (
        <button type="button" class="button small" onClick={() => setWhole(true)}>
          {t.allHours(slots.length)}
        </button>
      )}
    </>
  )
}
