import { useState } from 'preact/hooks'
import type { Rdv, Slot } from '../api/client.js'
import { useRead } from '../api/read.js'
import { allPoseurs } from '../directory/questions.js'
import { may } from '../session/session.js'
import { dateOf, daysAfter, isDate, shortDayName, timeOf, today } from '../session/zone.js'
import { Answered } from '../system/answered.js'
import { SelectField, TextField } from '../system/form.js'
import { isolated } from '../words/formats.js'
import { words } from '../words/words.js'
import { visitsWith } from './board/board.js'
import { type AskedSlots, slotsFor, visitsOf } from './questions.js'

interface SlotsProps {
  readonly duree: number
  readonly place: Partial<AskedSlots>
  /** The installer to look for first; null: any. */
  readonly first?: number | null
  readonly onPick: (slot: Slot) => void
}

/** How many groups of a day, and times of a group, are shown until the user asks for all. */
const shownGroups = 3
const shownTimes = 6

/** Free times by day, installer and half-day, those with the least added travel first. */
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
  const { value: visits } = useRead(visitsOf, may('planning:read') ? { du: from, au: daysAfter(from, 6) } : null)
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
        {(found) =>
          found.length === 0 ? (
            <p class="muted">{t.noSlots}</p>
          ) : (
            <ByDay slots={found} visits={visits ?? []} onPick={onPick} />
          )
        }
      </Answered>
    </div>
  )
}

interface ByDayProps {
  readonly slots: readonly Slot[]
  /** Known visits of these days: a free time is labelled with the previous visit. */
  readonly visits?: readonly Rdv[]
  readonly onPick: (slot: Slot) => void
}

export function ByDay({ slots, visits = [], onPick }: ByDayProps) {
  const best = Math.min(...slots.map(({ trajet_ajoute_minutes }) => trajet_ajoute_minutes))
  const days = Map.groupBy(slots, ({ debut }) => dateOf(debut))
  return (
    <div class="slots">
      {[...days]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([date, ofDay]) => (
          <section key={date} class="stack-small">
            <h3>{shortDayName(date)}</h3>
            <OfDay groups={groupsOf(ofDay, visits)} best={best} onPick={onPick} />
          </section>
        ))}
    </div>
  )
}

/** Free times of one installer in the same half-day, after the same visit. */
interface SlotGroup {
  readonly key: string
  readonly before: Rdv | undefined
  readonly isMorning: boolean
  /** In order of time. */
  readonly slots: readonly [Slot, ...Slot[]]
  readonly least: number
}

/** Groups with the least travel first. */
function groupsOf(slots: readonly Slot[], visits: readonly Rdv[]): readonly SlotGroup[] {
  const noon = '13:00'
  const all = slots.map((slot) => {
    const before = beforeOf(slot, visits)
    const isMorning = timeOf(slot.debut) < noon
    return { slot, before, isMorning, key: `${slot.poseur.id} ${isMorning} ${before?.id ?? ''}` }
  })
  return [...Map.groupBy(all, ({ key }) => key).values()]
    .flatMap((each) => {
      const [first, ...others] = each.toSorted((a, b) => (a.slot.debut < b.slot.debut ? -1 : 1))
      if (first === undefined) return []
      const group = [first.slot, ...others.map(({ slot }) => slot)] as const
      const least = Math.min(...group.map(({ trajet_ajoute_minutes }) => trajet_ajoute_minutes))
      return [{ key: first.key, before: first.before, isMorning: first.isMorning, slots: group, least }]
    })
    .toSorted((a, b) => a.least - b.least)
}

/** The installer's last visit that day before the slot, if known. */
const beforeOf = ({ poseur, debut }: Slot, visits: readonly Rdv[]): Rdv | undefined =>
  visitsWith(visits, poseur.id)
    .filter(({ fin }) => fin <= debut && dateOf(fin) === dateOf(debut))
    .toSorted((a, b) => (a.fin < b.fin ? 1 : -1))[0]

interface OfDayProps extends Pick<ByDayProps, 'onPick'> {
  readonly groups: readonly SlotGroup[]
  readonly best: number
}

/** The groups with the least travel; the rest of the day on request. */
function OfDay({ groups, best, onPick }: OfDayProps) {
  const [isWhole, setWhole] = useState(false)
  const t = words.value.planning
  const shown = isWhole ? groups : groups.slice(0, shownGroups)
  const seen = shown.reduce((sum, { slots }) => sum + Math.min(slots.length, isWhole ? slots.length : shownTimes), 0)
  const all = groups.reduce((sum, { slots }) => sum + slots.length, 0)
  return (
    <>
      {shown.map((group) => (
        <Group
          key={group.key}
          group={group}
          best={best}
          most={isWhole ? group.slots.length : shownTimes}
          onPick={onPick}
        />
      ))}
      {seen < all && (
        <button type="button" class="button small" onClick={() => setWhole(true)}>
          {t.allHours(all)}
        </button>
      )}
    </>
  )
}

interface GroupProps extends Pick<ByDayProps, 'onPick'> {
  readonly group: SlotGroup
  readonly best: number
  readonly most: number
}

function Group({ group: { slots, before, isMorning, least }, best, most, onPick }: GroupProps) {
  const [{ poseur, trajet_avant_minutes }] = slots
  const t = words.value.planning
  return (
    <div class="slot-group">
      <p>
        <strong>{poseur.nom}</strong> <span class="muted small">{isMorning ? t.inMorning : t.inAfternoon}</span>
      </p>
      <p class="small">
        {before && (
          <span class="muted">
            {t.afterVisit(
              isolated(words.value.stored(before.client.nom)),
              before.lieu?.ville ? isolated(before.lieu.ville) : '',
              trajet_avant_minutes,
            )}
            {' · '}
          </span>
        )}
        <span class={least === best ? 'good-text' : 'muted'}>{t.added(least)}</span>
      </p>
      <div class="slot-times">
        {slots.slice(0, most).map((slot) => (
          <button
            key={slot.jeton}
            type="button"
            class="slot"
            aria-label={`${timeOf(slot.debut)} ${poseur.nom}, ${t.added(slot.trajet_ajoute_minutes)}`}
            onClick={() => onPick(slot)}
          >
            {timeOf(slot.debut)}
          </button>
        ))}
      </div>
    </div>
  )
}
