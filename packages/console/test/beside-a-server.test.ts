import { join } from 'node:path'
import { expect } from 'vitest'
import { exampleFolder, start } from '../../../examples/running.js'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const directory = exampleFolder()

it.runIf(needs('chromium', 'the console beside another server, with the users of that server'))(
  'under a path of another server, the users of that server sign in there and work in the console',
  async ({ browser }) => {
    const secretKey = Buffer.alloc(32, 7).toString('base64')
    const example = start('embed-console', { SHOP_DB: join(directory, 'console.db'), SHOP_KEY: secretKey, PORT: '0' })
    const [url = ''] = /http:\S+/.exec((await example.next()).value ?? '') ?? []
    const page = await browser.newPage({ locale: 'fr-FR' })
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('response', (response) => {
      if (response.status() >= 400 && response.status() !== 401)
        complaints.push(`${response.status()} ${response.url()}`)
    })

    await page.goto(url)
    await page.getByRole('link', { name: 'Se connecter' }).click()
    await page.getByRole('button', { name: 'Zoé Martin' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/sav\/?$/)
    await page.getByText('Zoé Martin').waitFor()
    expect(await page.getByRole('button', { name: 'Se déconnecter' }).count()).toBe(0)

    await page.goto(`${url}/clients/nouveau`)
    await page.getByLabel('Nom', { exact: true }).fill('Lefèvre')
    await page.getByLabel('Prénom').fill('Hélène')
    await page.keyboard.press('Enter')
    await page.getByText('Lefèvre').first().waitFor()
    expect(complaints).toEqual([])
    await page.close()
    expect(await example.stop()).toEqual([0, null])
  },
)
