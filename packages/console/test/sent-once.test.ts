import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'that a form is sent once')

interface Creating {
  readonly screen: string
  /** The button that opens the form; null if the screen is the form. */
  readonly opener: string | null
  readonly fields: Readonly<Record<string, string>>
  readonly box?: string
  /** The path of the API's list to which the form adds something. */
  readonly list: string
}

/** Each form that adds to a list. */
const forms: Readonly<Record<string, Creating>> = {
  comment: {
    ...{ screen: '/dossiers/1', opener: null, list: '/api/v1/sav/1/commentaires' },
    fields: { 'Nouveau commentaire': 'Rappeler après 18 h, le client est en réunion.' },
  },
  client: {
    ...{ screen: '/clients/nouveau', opener: null, list: '/api/v1/clients' },
    fields: { Nom: 'Martin-Desrousseaux', Prénom: 'Zoé' },
  },
  case: {
    ...{ screen: '/dossiers/nouveau?client_id=1', opener: null, list: '/api/v1/sav' },
    fields: { Description: 'Le joint du hublot fuit depuis la pose.' },
  },
  installer: {
    ...{ screen: '/poseurs', opener: 'Nouveau poseur', list: '/api/v1/poseurs' },
    fields: { Nom: 'Karim Benali' },
  },
  user: {
    ...{ screen: '/reglages/utilisateurs', opener: 'Nouvel utilisateur', list: '/api/v1/utilisateurs' },
    fields: { Nom: 'Paul Nguyen', 'E-mail': 'paul@atelier.example' },
  },
  key: {
    ...{ screen: '/reglages/api/cles/nouvelle', opener: null, list: '/api/v1/cles' },
    fields: { Nom: 'Comptabilité' },
    box: 'sav:read',
  },
  webhook: {
    ...{ screen: '/reglages/api/webhooks/nouveau', opener: null, list: '/api/v1/webhooks' },
    fields: { Adresse: 'https://crm.example/sav' },
    box: 'sav.created',
  },
}

/** Clicks repeatedly, during and after the sending, until the form is gone or empty. */
const press = `new Promise((done) => {
  const { form } = document.activeElement
  const again = (left) => {
    if (left === 0 || !form.isConnected || !form.checkValidity()) return done(left > 0)
    form.requestSubmit()
    form.requestSubmit()
    setTimeout(() => again(left - 1))
  }
  again(1000)
})`

describe.runIf(hasBrowser)('a form', () => {
  it('adds its content once, however often it is clicked during and after the sending', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle, en bas à droite.' })
    const added: Record<string, number> = {}
    for (const [name, { screen, opener, fields, box, list }] of Object.entries(forms)) {
      const count = async () => (await api('GET', list)).body.data.length
      const before = await count()
      await open(screen)
      if (opener !== null) await page.getByRole('button', { name: opener }).first().click()
      const field = (label: string) => page.locator('main, dialog').getByLabel(label, { exact: true }).last()
      for (const [label, value] of Object.entries(fields)) await field(label).fill(value)
      if (box !== undefined) await page.getByRole('checkbox', { name: box }).first().check()
      const [first = ''] = Object.keys(fields)
      await field(first).focus()
      expect(await page.evaluate(press), name).toBe(true)
      added[name] = (await count()) - before
    }
    expect(added).toEqual(Object.fromEntries(Object.keys(forms).map((name) => [name, 1])))
    expect(complaints).toEqual([])
  })

  it('that stays open is emptied and keeps the focus, and can send the same text again', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle, en bas à droite.' })
    await open('/dossiers/1')
    const field = page.getByLabel('Nouveau commentaire')
    const comments = page.locator('.comments li')
    for (const count of [1, 2]) {
      await field.fill('Rappelé, sans réponse.')
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => comments.count()).toBe(count)
      const here = '[document.activeElement.name, document.activeElement.value]'
      expect(await page.evaluate(here)).toEqual(['texte', ''])
      await page.keyboard.press('Control+Enter')
    }
    await page.reload()
    await comments.first().waitFor()
    expect([await comments.count(), await field.inputValue()]).toEqual([2, ''])
  })
})
