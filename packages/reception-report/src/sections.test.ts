import type { ReportContent } from '@sav/core/ports'
import { describe, expect, test } from 'vitest'
import { pdfPages, wordsOf } from '../test/pdf-pages.js'
import { content } from '../test/sample.js'
import { layOut } from './document.js'

const plain = { logo: null, photos: [], photo_avant: null, photo_apres: null, signature: null } as const

async function wordsWith(sur_place: ReportContent['sur_place']): Promise<string> {
  const given = await content({ ...plain, sur_place: sur_place ?? null })
  return wordsOf(await pdfPages(await layOut({ ...plain, content: given }, 'Europe/Paris')))
}

describe('a report of a close that was told from the field', () => {
  const survenu_a = '2026-01-14T16:20:00.000Z'
  const dated = ['Établi le', 'Clôturé le', 'Fait à Villeurbanne, le']

  test('is of when it was on site, and says when that arrived', async () => {
    const words = await wordsWith({ survenu_a, cru: true, decalage_ms: 0 })
    for (const said of dated) expect(words).toContain(`${said} 14 janvier 2026 à 17 h 20`)
    expect(words).toContain('Reçu le 15 janvier 2026 à 11 h 30')
  })

  test('that arrived within the same minute has one time', async () => {
    expect(await wordsWith({ survenu_a: '2026-01-15T10:30:59.999Z', cru: true, decalage_ms: 0 })).not.toContain('Reçu')
  })

  test('by a clock that cannot be right is of its arrival, and says what the telephone said', async () => {
    const words = await wordsWith({ survenu_a, cru: false, decalage_ms: 0 })
    for (const said of dated) expect(words).toContain(`${said} 15 janvier 2026 à 11 h 30`)
    expect(words).toContain('Téléphone 14 janvier 2026 à 17 h 20, heure non retenue')
  })
})
