import { signal } from '@preact/signals'
import { to } from '../state/address.js'
import { reach, updatedAt } from '../state/contact.js'
import { clock, day, outbox, visits, zone } from '../state/own.js'
import { nextVersion, update } from '../state/updating.js'
import { isOpen, type Visit } from '../sync/day.js'
import { dateOf, dayName, daysAfter, personName, timeOf } from '../words/formats.js'
import { words } from '../words/words.js'
import { Screen } from './frame.js'
import { Icon } from './icons.js'
import { LatenessSheet } from './lateness.js'
import { placeLines, QuickLinks } from './place.js'

/** The selected day; null: today. */
const shown = signal<string | null>(null)
const lateFor = signal<number | null>(null)

export function DayScreen() {
  const t = words.value.day
  const today = dateOf(clock.serverNow(), zone.value)
  const date = shown.value ?? today
  const here = visits.value.filter((visit) => dateOf(visit.debut, zone.value) === date)
  const next = date === today ? here.find(isOpen) : undefined
  return (
    <Screen title={words.value.tabs.day}>
      <DaySteps date={date} today={today} count={here.length} />
      <Status />
      {day.value === null && <p class="empty">{t.nothingYet}</p>}
      {day.value !== null && here.length === 0 && <p class="empty">{t.none}</p>}
      <ol class="visits">
        {here.map((visit) => (
          <VisitCard key={visit.id} visit={visit} isNext={visit === next} />
        ))}
      </ol>
      {lateFor.value !== null && (
        <LatenessSheet
          id={lateFor.value}
          onClose={() => {
            lateFor.value = null
          }}
        />
      )}
    </Screen>
  )
}

function DaySteps({ date, today, count }: { readonly date: string; readonly today: string; readonly count: number }) {
  const t = words.value.day
  const { du, au } = day.value?.told ?? { du: today, au: today }
  const go = (by: number) => {
    const next = daysAfter(date, by)
    shown.value = next === today ? null : next
  }
  return (
    <div class="steps">
      <button type="button" class="round" aria-label={t.previous} disabled={date <= du} onClick={() => go(-1)}>
        <Icon name="back" />
      </button>
      <div class="step-name">
        <strong>{date === today ? t.today : dayName(date)}</strong>
        <small>{date === today ? `${dayName(date)} · ${t.count(count)}` : t.count(count)}</small>
      </div>
      <button type="button" class="round" aria-label={t.next} disabled={date >= au} onClick={() => go(1)}>
        <Icon name="next" />
      </button>
    </div>
  )
}

/** Shows what has not reached the office yet, and what needs attention. */
function Status() {
  const t = words.value
  const told = outbox.value.items.filter(({ state }) => state.is === 'received' && state.constat !== null).length
  return (
    <div class="stack">
      {nextVersion.value !== null && (
        <button type="button" class="box link-box" onClick={update}>
          {t.me.update} <strong>{t.me.updateNow}</strong>
        </button>
      )}
      {told > 0 && (
        <a class="box link-box warn" href={to('/a-envoyer')}>
          {t.day.findings(told)} <strong>{t.day.look}</strong>
        </a>
      )}
      <ReachBox />
    </div>
  )
}

export function ReachBox() {
  const t = words.value
  switch (reach.value) {
    case 'offline':
      return <p class="box">{t.day.offline}</p>
    case 'signed-out':
      return (
        <a class="box link-box bad" href={to('/moi')}>
          {t.line.signedOut}
        </a>
      )
    case 'other-person':
      return (
        <a class="box link-box bad" href={to('/moi')}>
          {t.line.otherPerson}
        </a>
      )
    case 'not-field':
      return <p class="box bad">{t.line.notField}</p>
    default: {
      const at = updatedAt.value
      return at === null ? null : <p class="updated">{t.day.updated(timeOf(at - clock.aheadMs, zone.value))}</p>
    }
  }
}

function VisitCard({ visit, isNext }: { readonly visit: Visit; readonly isNext: boolean }) {
  const { id, debut, fin, fuseau, type, statut, client, lieu, trajet_avant_minutes, retard_minutes } = visit
  const t = words.value
  const [street, town] = placeLines(lieu, client.adresse)
  return (
    <li>
      {trajet_avant_minutes !== null && trajet_avant_minutes > 0 && (
        <p class="leg">
          <Icon name="car" size={18} />
          {t.day.travel(trajet_avant_minutes)}
        </p>
      )}
      <article class={isNext ? 'visit next' : isOpen(visit) ? 'visit' : 'visit over'}>
        <a class="visit-link" href={to(`/visite/${id}`)}>
          <span class="hours">
            <time>{timeOf(debut, fuseau)}</time>
            <time>{timeOf(fin, fuseau)}</time>
          </span>
          <span class="visit-text">
            <strong>{personName(client)}</strong>
            <span>{[street, town].filter(Boolean).join(', ')}</span>
            <span class="marks">
              <span class={`mark ${statut}`}>{t.statuts[statut]}</span>
              <span class="muted">{t.types[type]}</span>
              {visit.isAhead && <span class="mark ahead">{t.day.toSend}</span>}
              {visit.hasLeft && <span class="mark left">{t.day.departed}</span>}
            </span>
            {retard_minutes && isOpen(visit) ? <span class="late">{t.day.late(retard_minutes)}</span> : null}
            {isNext && lieu?.acces && (
              <span class="access">
                <Icon name="key" size={18} /> {lieu.acces}
              </span>
            )}
          </span>
        </a>
        {isNext && (
          <QuickLinks
            visit={visit}
            onLate={() => {
              lateFor.value = id
            }}
          />
        )}
      </article>
    </li>
  )
}
