import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { test as base, expect, inject, onTestFinished } from 'vitest'
import { call, readyWorkplace, type Workplace } from '../../cli/test/workplace.js'
import { startProvider } from '../../people/test/provider.js'
import { createConsole } from '../src/console.js'
import { openDoor, slowness } from './door.js'
import { type Service, serveApart, serveHere } from './service.js'

/**
 * Chromium only honours the last list of features to disable. This one has those that Playwright disables, and the
 * pages that Chromium loads for its own address bar.
 */
const features = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // These three load two pages per window, with 200 files: four fifths of all loaded files.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
]

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${features.join()}`,
  // Prevents a spare renderer process: the machine may have only two cores.
  '--renderer-process-limit=1',
]

/** Shared by all files of a worker: compressing the pages takes half a second. */
export const pages = createConsole({ directory: inject('consolePages') })

export const it = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what is asked for.
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await chromium.launch({ executablePath: pathOf('chromium'), args: flags })
    onCleanup(() => browser.close())
    return browser
  })
  .extend(
    'openShop',
    ({ browser }) =>
      (options: ShopOptions = {}) =>
        openShop(browser, options),
  )

function pathOf(program: string): string {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  const found = directories.map((directory) => join(directory, program)).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`${program} is not on the PATH`)
  return found
}

export interface Shop {
  /** A page of the signed-in user, on which no screen is open yet. */
  readonly page: Page
  readonly workplace: Workplace
  /** Calls the API with an administrator's key, like a change by another user. */
  api(method: string, path: string, body?: unknown): ReturnType<typeof call>
  /** Books a visit, by default of an hour for client and installer 1. Resolves to its id. */
  book(debut: string, rdv?: Readonly<Record<string, unknown>>): Promise<number>
  open(screen: string): Promise<void>
  /** Restarts the service as an operator does. */
  restart(): Promise<void>
  /** A new invitation link. @param id of the user; default: the signed-in one */
  invite(id?: string): Promise<string>
  /** Replaces the signed-in user. @param who default: the shop's user */
  signIn(who?: string): Promise<void>
  readonly user: string
  readonly origin: string
  /** Script errors, and violations of the content security policy. */
  readonly complaints: string[]
}

interface ShopOptions {
  readonly role?: 'administration' | 'gestion' | 'atelier' | 'lecture'
  readonly locale?: 'fr-FR' | 'en-GB'
  readonly width?: number
  /** Device pixels per CSS pixel. */
  readonly density?: number
  /** Whether the service runs in a separate process. */
  readonly apart?: boolean
  /** Whether an identity provider knows the user. */
  readonly oidc?: boolean
  /** Environment variables of the service. */
  readonly settings?: Readonly<Record<string, string>>
}

/** A service with its own store, and a browser signed in by an invitation. */
async function openShop(browser: Browser, options: ShopOptions): Promise<Shop> {
  const { role = 'administration', locale = 'fr-FR', width = 1280, density = 1 } = options
  const { apart = false, oidc = false, settings } = options
  let service: Service | undefined
  const door = await openDoor(pages, () => service?.url ?? '')
  onTestFinished(() => door.close())
  // Passkeys need a host name, and sessions need a single origin.
  const origin = door.url.replace('127.0.0.1', 'localhost')
  const workplace = await readyWorkplace({ ...settings, ...(oidc && (await providerFor(origin))) })
  const keyWords = ['keys', 'create', '--name', 'bureau', '--permissions', 'admin']
  const { key } = await workplace.json<{ key: string }>(keyWords)
  const person = ['users', 'add', '--nom', 'Claire Petit', '--email', 'claire@atelier.example', '--role', role]
  const { id: user } = await workplace.json<{ id: string }>(person)
  const serve = () => (apart ? serveApart(workplace) : serveHere(workplace))
  service = await serve()
  onTestFinished(() => service?.stop())
  const viewport = { width, height: 900 }
  const context = slowed(await browser.newContext({ locale, viewport, deviceScaleFactor: density }))
  const page = await context.newPage()
  onTestFinished(async () => {
    // Makes requests fail that a test still holds back.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })
  page.setDefaultTimeout(120_000)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
  })
  const invite = async (who = user) => {
    const { url } = await workplace.json<{ url: string }>(['users', 'invite', who])
    const { pathname, hash } = new URL(url, origin)
    return origin + pathname + hash
  }
  // The same call as the sign-in page makes: see sign-in.test.ts.
  const signIn = async (who = user) => {
    const signedIn = await context.request.post(`${origin}/app/session/invitation`, {
      headers: { 'X-Sav-Console': '1', Origin: origin },
      data: { token: new URL(await invite(who)).hash.slice(1) },
    })
    expect(signedIn.status()).toBe(200)
  }
  await signIn()
  const open = async (screen: string) => {
    await page.goto(`${origin}/app${screen}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(complaints).toEqual([])
  }
  const restart = async () => {
    await service?.stop()
    service = await serve()
  }
  const api: Shop['api'] = (method, path, body) => call(service?.url ?? '', key, method, path, body)
  const book: Shop['book'] = async (debut, rdv = {}) => {
    const whose = 'sav_id' in rdv ? {} : { client_id: 1 }
    const { body } = await api('POST', '/api/v1/planning/rdv', {
      ...{ poseur_id: 1, duree_minutes: 60, debut, ...whose, ...rdv },
    })
    return body.data.id
  }
  return { page, workplace, complaints, api, book, open, restart, invite, signIn, user, origin }
}

/** Delays the pages of a browser context if SAV_TEST_SLOW is set. */
export function slowed(context: BrowserContext): BrowserContext {
  context.on('page', async (page) => {
    const slow = slowness()
    if (slow === null) return
    try {
      const devtools = await context.newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 2 + 10 * slow })
    } catch {
      // The page is closed already.
    }
  })
  return context
}

/** The settings for a local identity provider that knows the shop's user. */
async function providerFor(origin: string) {
  const person = { email: 'claire@atelier.example', email_verified: true }
  const provider = await startProvider(person, { redirectUri: `${origin}/app/session/oidc/retour` })
  onTestFinished(async () => {
    await provider.close()
  })
  return { SAV_OIDC_ISSUER: provider.issuer, SAV_OIDC_CLIENT_ID: 'sav', SAV_OIDC_CLIENT_SECRET: 'secret' }
}
