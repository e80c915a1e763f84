import { businessCalendar } from '@sav/core/feature'
import type { Pieces } from '@sav/http-node/feature'
import type { RdvView } from '../appointments/inputs.js'
import type { CalendarEntry, CalendarView } from '../calendars/calendars.js'
import type { RdvInvitation } from '../customers/rdv-letter.js'

/** The refresh interval for programs. */
const refreshSeconds = 15 * 60

const typeNames: Readonly<Record<RdvView['type'], string>> = {
  sav: 'SAV',
  pose: 'Pose',
  metre: 'Métré',
  livraison: 'Livraison',
  controle: 'Contrôle',
  autre: 'Rendez-vous',
}

/**
 * Writes a calendar for other programs (RFC 5545), one piece for each step of entries. The bytes are the same as long
 * as nothing has changed. Times are in the zone where they were agreed. The rules of a zone come before its first
 * entry.
 */
export async function* icalOf({ nom, isShared, fuseau, entries }: CalendarView): Pieces {
  const zones = new Set<string>()
  let hasBegun = false
  for await (const step of entries) {
    const events = step.map((entry) => ({
      ...entry,
      summary: summaryOf(entry, isShared),
      description: descriptionOf(entry),
    }))
    const text = await written({ nom, fuseau }, events)
    yield Buffer.from(`${hasBegun ? '' : headOf(text)}${zonesOf(text, zones)}${eventsOf(text)}`)
    hasBegun = true
  }
  yield Buffer.from(ending)
}

const ending = 'END:VCALENDAR'

/**
 * The lines before the first component. No line within a text begins like a component, since line breaks in texts are
 * escaped.
 */
const headOf = (text: string) =>
  text.slice(0, Math.min(...['VTIMEZONE', 'VEVENT'].map((name) => beginningOf(text, name))))

const eventsOf = (text: string) => text.slice(beginningOf(text, 'VEVENT'), text.lastIndexOf(ending))

/** The rules of the zones that are not in `known`. These zones are then added to `known`. */
const zonesOf = (text: string, known: Set<string>): string =>
  text
    .slice(beginningOf(text, 'VTIMEZONE'), beginningOf(text, 'VEVENT'))
    .split(/(?<=^END:VTIMEZONE\r\n)/m)
    .filter((rules) => {
      const zone = /^TZID:(.*)\r$/m.exec(rules)?.[1]
      const isNew = zone !== undefined && !known.has(zone)
      if (isNew) known.add(zone)
      return isNew
    })
    .join('')

/** The position where the first component with that name begins. If there is none, it is the end of the calendar. */
function beginningOf(text: string, name: string): number {
  const before = text.indexOf(`\r\nBEGIN:${name}\r\n`)
  return before < 0 ? text.lastIndexOf(ending) : before + 2
}

/** One appointment for its customer's calendar; a later version replaces an earlier one there. */
export const rdvIcalOf = ({ societe, page_url, isCancelled, ...rdv }: RdvInvitation): Promise<string> =>
  written({ nom: societe, fuseau: rdv.fuseau }, [
    { ...rdv, statut: isCancelled ? 'annule' : 'confirme', summary: `Rendez-vous ${societe}`, description: page_url },
  ])

type Event = Omit<RdvInvitation, 'societe' | 'page_url' | 'isCancelled'> &
  Pick<CalendarEntry, 'statut'> & { readonly summary: string; readonly description: string | null }

async function written(
  { nom, fuseau }: { readonly nom: string; readonly fuseau: string },
  events: readonly Event[],
): Promise<string> {
  const [{ default: ical, escape: escaped, ICalEventStatus }, { tzlib_get_ical_block }] = await Promise.all([
    import('ical-generator'),
    import('timezones-ical-library'),
  ])
  // The library names a zone by its canonical name (Asia/Dubai for Indian/Reunion), but the events name the given zone.
  const rulesOf = (timeZone: string) => {
    const [rules] = [tzlib_get_ical_block(timeZone)].flat()
    return rules?.replace(/^TZID:.*?(\r?)$/m, `TZID:${timeZone}$1`) ?? null
  }
  const statusOf = ({ statut }: Event) => {
    if (statut === 'annule') return ICalEventStatus.CANCELLED
    return statut === 'propose' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED
  }

  const calendar = ical({
    // The library escapes every other text, but not this one.
    name: escaped(printed(nom), false),
    prodId: { company: 'sav', product: 'planning', language: 'FR' },
    timezone: { name: null, generator: rulesOf },
    ttl: refreshSeconds,
  })
  calendar.x('X-WR-TIMEZONE', fuseau)
  for (const entry of events) {
    const { uid, version, fuseau: timezone, lieu, summary, description } = entry
    const place = [lieu?.ligne1, [lieu?.code_postal, lieu?.ville].filter(Boolean).join(' ')].filter(Boolean).join(', ')
    const geo = lieu !== null && lieu.lat !== null && lieu.lon !== null ? { lat: lieu.lat, lon: lieu.lon } : null
    const changed = zonedTime(entry.modifie_le, 'UTC')
    calendar.createEvent({
      id: uid,
      sequence: version,
      status: statusOf(entry),
      timezone,
      start: zonedTime(entry.debut, timezone),
      end: zonedTime(entry.fin, timezone),
      stamp: changed,
      lastModified: changed,
      summary: printed(summary),
      description: description && printed(description),
      location: place === '' ? null : { title: printed(place), ...(geo !== null && { geo }) },
    })
  }
  return calendar.toString()
}

/** The instant as a local time in the given zone. The library would write a `Date` in the zone of this process. */
const zonedTime = (instant: string, timeZone: string) => businessCalendar(timeZone).zonedAt(Date.parse(instant))

/**
 * Replaces control characters by spaces, except line breaks, which the library escapes. RFC 5545 (§3.1) allows no
 * control characters, and some readers treat them as the end of a line. Names that were stored before names were
 * checked may contain them.
 */
const printed = (text: string) => text.replace(/[^\P{Cc}\r\n\t]|[\p{Zl}\p{Zp}]/gu, ' ')

function summaryOf({ type, reference, client, poseur }: CalendarEntry, isShared: boolean): string {
  const what = `${reference ?? typeNames[type]} · ${client.nom} ${client.prenom}`.trimEnd()
  return isShared ? `${poseur.nom} : ${what}` : what
}

function descriptionOf({ type, client, lieu, equipiers, reference }: CalendarEntry): string | null {
  const lines = [
    reference === null ? null : typeNames[type],
    client.telephone && `Téléphone : ${client.telephone}`,
    lieu?.acces && `Accès : ${lieu.acces}`,
    equipiers.length > 0 && `Avec : ${equipiers.map(({ nom }) => nom).join(', ')}`,
  ]
  return lines.filter(Boolean).join('\n') || null
}
