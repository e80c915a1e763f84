import { describe, expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { ConflictError } from '../errors.js'
import type { ReportContent } from '../reports/report.js'

const logo = {
  png: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

describe('a sample report', () => {
  it('has the account’s current data, and is drawn once for concurrent callers', async () => {
    const drawn: ReportContent[] = []
    const reportRenderer = {
      async render(content: ReportContent) {
        drawn.push(content)
        return Buffer.from(`%PDF ${drawn.length}`)
      },
    }
    const { sav } = await openSav({ reportRenderer })
    await sav.accounts.update(as('default'), { raison_sociale: 'Cuisines Petit', logo: logo.png })
    const [one, same] = await Promise.all([1, 2].map(() => sav.cases.sampleReport('default')))
    expect(one).toEqual(same)
    expect(one).toMatchObject({ media_type: 'application/pdf' })
    expect(drawn).toHaveLength(1)
    expect(drawn[0]?.societe.raison_sociale).toBe('Cuisines Petit')
    expect(drawn[0]?.logo?.media_type).toBe('image/png')
    expect(drawn[0]?.signature).not.toBeNull()
    expect(drawn[0]?.check_url).toBeNull()

    await sav.accounts.update(as('default'), { raison_sociale: 'Cuisines Durand', logo: null })
    await sav.cases.sampleReport('default')
    expect(drawn[1]).toMatchObject({ societe: { raison_sociale: 'Cuisines Durand' }, logo: null })
    expect((await sav.cases.list('default', {})).total).toBe(0)
  })

  it('does not exist without a renderer', async () => {
    const { sav } = await openSav()
    await expect(sav.cases.sampleReport('default')).rejects.toThrow(ConflictError)
  })
})
