import { Readable } from 'node:stream'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import type { CalendarEntry, CalendarView } from '../calendars/calendars.js'
import { icalOf, rdvIcalOf } from './ical.js'

const entry: CalendarEntry = {
  uid: 'rdv-7-20260310081500000@sav',
  version: 3,
  statut: 'confirme',
  type: 'sav',
  debut: '2026-03-16T08:00:00.000Z',
  fin: '2026-03-16T10:00:00.000Z',
  fuseau: 'Europe/Paris',
  reference: 'SAV-2026-00042',
  client: { nom: 'Lefèvre-Saint-Ange', prenom: 'Éléonore', telephone: '+33612345678' },
  poseur: { nom: 'Bruno Petit' },
  equipiers: [{ nom: 'Ismaël Roy' }],
  lieu: {
    ligne1: '12 bis, quai Tilsitt ; bâtiment « Saône »',
    code_postal: '69002',
    ville: 'Lyon',
    lat: 45.7589,
    lon: 4.8295,
    acces: 'Code 14B,\n3e étage \\ porte gauche : sonner deux fois, longuement, la cliente est dure d’oreille 🔔',
  },
  modifie_le: '2026-03-12T09:30:00.000Z',
}
/** The text of a calendar whose entries are read one by one. */
async function textOf(entries: readonly CalendarEntry[], others: Partial<CalendarView> = {}): Promise<string> {
  const steps = Readable.from(entries.length === 0 ? [[]] : entries.map((each) => [each]))
  const view = { nom: 'Bruno Petit', isShared: false, fuseau: 'Europe/Paris', entries: steps, ...others }
  return Buffer.concat(await Readable.from(icalOf(view)).toArray()).toString()
}

/** Reads a calendar with ical.js, which here only has the time zone rules of the calendar itself. */
function readBack(text: string) {
  const root = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const events = root.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
  return { root, events, starts: events.map(({ startDate }) => startDate.toJSDate().toISOString()) }
}

/** Zones where French shops work. */
const zones = [
  'Europe/Paris',
  'America/Guadeloupe',
  'America/Martinique',
  'America/Cayenne',
  'America/Miquelon',
  'America/St_Barthelemy',
  'America/Marigot',
  'Indian/Reunion',
  'Indian/Mayotte',
  'Pacific/Noumea',
  'Pacific/Tahiti',
  'Pacific/Wallis',
]
const instants = [
  '2026-01-15T08:00:00.000Z',
  '2026-07-15T08:00:00.000Z',
  '2027-03-28T00:30:00.000Z',
  '2027-03-28T01:30:00.000Z',
  '2027-10-31T03:30:00.000Z',
  '2031-11-03T22:15:00.000Z',
]
const everywhere = zones.flatMap((fuseau) =>
  instants.map((debut, index) => {
    const fin = new Date(Date.parse(debut) + 5_400_000).toISOString()
    return { ...entry, uid: `rdv-${fuseau}-${index}@sav`, fuseau, debut, fin }
  }),
)

describe('a calendar for other programs', () => {
  it('shows subject, place and customer, with special characters escaped', async () => {
    const { root, events } = readBack(await textOf([entry]))
    expect(root.getFirstPropertyValue('x-wr-calname')).toBe('Bruno Petit')
    const [event] = events
    expect(event).toMatchObject({
      uid: entry.uid,
      sequence: 3,
      summary: 'SAV-2026-00042 · Lefèvre-Saint-Ange Éléonore',
      location: '12 bis, quai Tilsitt ; bâtiment « Saône », 69002 Lyon',
      description: `SAV\nTéléphone : +33612345678\nAccès : ${entry.lieu?.acces}\nAvec : Ismaël Roy`,
    })
    const value = (name: string) => String(event?.component.getFirstPropertyValue(name))
    expect(value('status')).toBe('CONFIRMED')
    expect(value('dtstamp')).toBe('2026-03-12T09:30:00Z')
    expect(value('geo')).toBe('45.7589,4.8295')
    expect(event?.startDate.toString()).toBe('2026-03-16T09:00:00')
  })

  it('has lines of at most 75 bytes, which end with CRLF', async () => {
    const text = await textOf([entry])
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75)
  })

  it('has only one event for an appointment with line breaks and control characters in its names', async () => {
    const breaks = ['\r\n', '\n', '\r', '\u2028', '\u0085', '\v']
    const nom = breaks.map((end) => `Petit${end}BEGIN:VEVENT${end}SUMMARY:Faux; oui, \\n`).join(' ')
    const lieu = { ...entry.lieu, ligne1: nom, code_postal: nom, ville: nom, acces: nom, lat: null, lon: null }
    const named = {
      ...entry,
      reference: nom,
      poseur: { nom },
      equipiers: [{ nom }],
      lieu,
      client: { nom, prenom: nom, telephone: nom },
    }
    const shared = await textOf([named], { nom, isShared: true })
    const invitation = await rdvIcalOf({ ...named, isCancelled: false, societe: nom, page_url: nom })
    for (const text of [shared, invitation]) {
      expect(readBack(text).events).toHaveLength(1)
      expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(1)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those must not appear
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/)
      const unfolded = text.replaceAll('\r\n ', '')
      for (const name of ['NAME', 'X-WR-CALNAME'])
        expect(unfolded).toContain(`\r\n${name}:Petit\\nBEGIN:VEVENT\\nSUMMARY:Faux\\; oui\\, \\\\n Petit`)
    }
  })

  it.each([
    ['propose', 'TENTATIVE'],
    ['planifie', 'CONFIRMED'],
    ['realise', 'CONFIRMED'],
    ['annule', 'CANCELLED'],
  ] as const)('shows %s as %s', async (statut, status) => {
    const { events } = readBack(await textOf([{ ...entry, statut }]))
    expect(events[0]?.component.getFirstPropertyValue('status')).toBe(status)
  })

  it('omits missing fields, and names the poseur if it is the calendar of the whole account', async () => {
    const bare = { ...entry, reference: null, type: 'pose', lieu: null, equipiers: [] } as const
    const client = { nom: 'Durand', prenom: '', telephone: null }
    const { events } = readBack(await textOf([{ ...bare, client }], { isShared: true }))
    expect(events[0]).toMatchObject({ summary: 'Bruno Petit : Pose · Durand', description: null, location: null })
  })

  it('is the same text for the same entries', async () => {
    expect(await textOf(everywhere)).toBe(await textOf(everywhere))
    expect(readBack(await textOf([])).events).toEqual([])
  })

  it('is read by ical.js as the same instants in every zone, by the time zone rules in the file', async () => {
    const text = await textOf(everywhere)
    const { root, starts, events } = readBack(text)
    expect(root.getAllSubcomponents('vtimezone').map((zone) => zone.getFirstPropertyValue('tzid'))).toEqual(zones)
    expect(starts).toEqual(everywhere.map(({ debut }) => debut))
    expect(events.map(({ endDate }) => endDate.toJSDate().toISOString())).toEqual(everywhere.map(({ fin }) => fin))
  })
})
