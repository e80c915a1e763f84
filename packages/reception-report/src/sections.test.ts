import type { ReportContent } from '@sav/core/ports'
import { describe, expect, test } from 'vitest'
import { pdfPages, wordsOf } from '../test/pdf-pages.js'
import { content, photo } from '../test/sample.js'
import { layOut } from './document.js'
import { loadFonts } from './fonts.js'
import { frenchDates } from './french.js'
import { photoRows } from './sections.js'
import { Sheet } from './sheet.js'

const plain = { logo: null, photos: [], photo_avant: null, photo_apres: null, signature: null } as const

async function wordsWith(sur_place: ReportContent['sur_place']): Promise<string> {
  const given = await content({ ...plain, sur_place: sur_place ?? null })
  return wordsOf(await pdfPages(await layOut({ ...plain, content: given }, 'Europe/Paris')))
}

describe('a report of a close from the field', () => {
  const survenu_a = '2026-01-14T16:20:00.000Z'
  const dated = ['Établi le', 'Clôturé le', 'Fait à Villeurbanne, le']

  test('has the time on site, and the time of arrival', async () => {
    const words = await wordsWith({ survenu_a, cru: true, decalage_ms: 0 })
    for (const said of dated) expect(words).toContain(`${said} 14 janvier 2026 à 17 h 20`)
    expect(words).toContain('Reçu le 15 janvier 2026 à 11 h 30')
  })

  test('has the time of arrival below the photos of the close', async () => {
    const given = await content({ ...plain, photo_apres: await photo('#446688') })
    const told = { ...given, sur_place: { survenu_a, cru: true, decalage_ms: 0 } }
    const words = wordsOf(await pdfPages(await layOut({ ...plain, content: told }, 'Europe/Paris')))
    expect(words).toContain('Après l’intervention Reçue le 15 janvier 2026 à 11 h 30')
  })

  test('has only one time if the close arrived within the same minute', async () => {
    expect(await wordsWith({ survenu_a: '2026-01-15T10:30:59.999Z', cru: true, decalage_ms: 0 })).not.toContain('Reçu')
  })

  test('whose phone had an implausible clock is dated by its arrival, and also has the phone’s time', async () => {
    const words = await wordsWith({ survenu_a, cru: false, decalage_ms: 0 })
    for (const said of dated) expect(words).toContain(`${said} 15 janvier 2026 à 11 h 30`)
    expect(words).toContain('Téléphone 14 janvier 2026 à 17 h 20, heure non retenue')
  })
})

test.each([
  ['Petit SARL', 'Entreprise Petit SARL'],
  ['Zoé Petit', null],
  [null, null],
])('a report names the company %s only if it differs from the client', async (raison_sociale, said) => {
  const given = await content({
    ...plain,
    client: { ...(await content(plain)).client, nom: 'Petit', prenom: 'Zoé', raison_sociale },
  })
  const words = wordsOf(await pdfPages(await layOut({ ...plain, content: given }, 'Europe/Paris')))
  expect(words).toContain('Client Zoé Petit')
  if (said === null) expect(words).not.toContain('Entreprise')
  else expect(words).toContain(said)
})

describe('a row of photos that does not fit', () => {
  const dates = frenchDates('Europe/Paris')
  const [heading, caption, high] = [20.4, 38, 100]

  /** Lays out a photo on a page with `room` points left. */
  async function pagesWith(room: number) {
    const sheet = new Sheet(loadFonts(), { title: 'Photos', date: new Date(0) })
    const { file, ...named } = await photo('#446688')
    const drawn = { bytes: Buffer.from(file?.content ?? []), width: 800, height: 600 }
    const plate = {
      title: 'Photo 1',
      photo: { ...named, file: null },
      drawn,
      received: dates.day('2026-01-15T10:30:00Z'),
    }
    sheet.y = sheet.bottom - room
    const before = sheet.y
    photoRows(sheet, 'Photos', [plate], { columns: 3, height: high })
    return { isBelow: sheet.y > before, pages: await pdfPages(await sheet.end('')) }
  }

  test('shrinks, down to 72 points, before it moves to the next page', async () => {
    for (const height of [high, 72]) {
      const { isBelow, pages } = await pagesWith(heading + caption + height)
      expect(isBelow).toBe(true)
      expect(pages).toHaveLength(1)
    }
    const { isBelow, pages } = await pagesWith(heading + caption + 71)
    expect(isBelow).toBe(false)
    expect(pages[1]?.text).toContain('Photo 1')
  })
})
