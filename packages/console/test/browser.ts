import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { call, readyWorkplace, type Workplace } from '../../cli/test/workplace.js'
import { createConsole } from '../src/console.js'
import { openDoor } from './door.js'

const executablePath = '/usr/bin/chromium'
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Browser | undefined
let directory: string | undefined

/** The pages as they stand in the source, in a browser that all tests of a file share. */
export function useBrowser(): void {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sav-pages-'))
    const root = join(import.meta.dirname, '..')
    await build({ configFile: join(root, 'vite.config.ts'), build: { outDir: directory } })
    browser = await chromium.launch({ executablePath, args: flags })
  })
  afterAll(async () => {
    await browser?.close()
    if (directory !== undefined) await rm(directory, { recursive: true })
  })
}

export interface Shop {
  /** Somebody signed in, at the console's first screen. */
  readonly page: Page
  readonly workplace: Workplace
  /** Another editor, who knows no browser. */
  api(method: string, path: string, body?: unknown): ReturnType<typeof call>
  /** Opens a screen by its address. */
  open(screen: string): Promise<void>
  /** Ends the service as an operator does, and starts it anew. */
  restart(): Promise<void>
  /** A link by which this person comes in, once. */
  invite(): Promise<string>
  readonly user: string
  /** What the browser found wrong: errors of scripts, and breaches of the policy. */
  readonly complaints: string[]
}

interface ShopOptions {
  readonly role?: 'administration' | 'gestion' | 'atelier' | 'lecture'
  readonly locale?: 'fr-FR' | 'en-GB'
  readonly width?: number
}

/** A service with a store of its own, and somebody who came in by an invitation. */
export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const { role = 'administration', locale = 'fr-FR', width = 1280 } = options
  if (browser === undefined || directory === undefined) throw new Error('useBrowser() first')
  const workplace = await readyWorkplace()
  const { key } = await workplace.json<{ key: string }>([
    'keys',
    'create',
    '--name',
    'bureau',
    '--permissions',
    'admin',
  ])
  const person = ['users', 'add', '--nom', 'Claire Petit', '--email', 'claire@atelier.example', '--role', role]
  const { id: user } = await workplace.json<{ id: string }>(person)
  let service = workplace.serve()
  let serviceUrl = await service.url()
  const door = await openDoor(createConsole({ directory }), () => serviceUrl)
  // Passkeys need a name, and sessions one origin.
  const origin = door.url.replace('127.0.0.1', 'localhost')
  const context = await browser.newContext({ locale, viewport: { width, height: 900 } })
  onTestFinished(async () => {
    await context.close()
    await door.close()
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
  })
  const invite = async () => {
    const { url } = await workplace.json<{ url: string }>(['users', 'invite', user])
    const { pathname, hash } = new URL(url, origin)
    return origin + pathname + hash
  }
  const open = async (screen: string) => {
    await page.goto(`${origin}/app${screen}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(complaints).toEqual([])
  }
  const restart = async () => {
    await service.kill('SIGTERM')
    service = workplace.serve()
    serviceUrl = await service.url()
  }
  await page.goto(await invite())
  await page.getByRole('heading', { name: /Claire/ }).waitFor()
  const api: Shop['api'] = (method, path, body) => call(serviceUrl, key, method, path, body)
  return { page, workplace, complaints, api, open, restart, invite, user }
}
