import { type Rdv, sav, serverNow } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { withQuery } from '../session/address.js'
import { dateOf, dayName, daysAfter, timeOf, today } from '../session/zone.js'
import { Icon } from '../system/icons.js'
import { Menu } from '../system/menu.js'
import { personName } from '../words/formats.js'
import { words } from '../words/words.js'

const standing = ['planifie', 'confirme', 'en_cours'] as const
const lookedBackDays = 31

/** Past visits of the last month without a result; the latest first. */
const notEnded = question(async (date: string, signal) => {
  const asked = { du: daysAfter(date, -lookedBackDays), au: date, limite: 200 }
  const found = await Promise.all(
    standing.map(async (statut) => (await sav.get('/v1/planning', { query: { ...asked, statut }, signal })).data),
  )
  return found.flat().toSorted((a, b) => (a.debut < b.debut ? 1 : -1))
})

const shownAtMost = 20

/** Past visits that were never ended: in a menu of a toolbar, or below a line that expands. */
export function LateVisits({ inToolbar = false }: { readonly inToolbar?: boolean }) {
  const { value: standing = [] } = useRead(notEnded, today())
  const late = standing.filter(({ fin }) => Date.parse(fin) < serverNow())
  const t = words.value.planning
  if (late.length === 0) return null
  const list = (
    <ul class="scrolls stack-small">
      {late.slice(0, shownAtMost).map((visit) => (
        <Late key={visit.id} visit={visit} />
      ))}
    </ul>
  )
  if (inToolbar)
    return (
      <Menu icon="warning" name={t.notEndedShort(late.length)}>
        <h3>{t.neverEnded(late.length)}</h3>
        {list}
      </Menu>
    )
  return (
    <details class="late-visits">
      <summary>
        <Icon name="warning" size={16} />
        {t.neverEnded(late.length)}
      </summary>
      {list}
    </details>
  )
}

function Late({ visit: { id, debut, client, poseur } }: { readonly visit: Rdv }) {
  const date = dateOf(debut)
  return (
    <li>
      <a href={withQuery('/planning', { date, rdv: id })}>{`${dayName(date)}, ${timeOf(debut)}`}</a>{' '}
      {personName(client)} <span class="muted">{poseur.nom}</span>
    </li>
  )
}
