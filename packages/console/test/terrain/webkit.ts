import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../../../test/free-port.js'

/** A page in WebKitGTK, which has Safari's engine. */
export interface WebKit {
  open(url: string): Promise<void>
  /** Clicks the first element of a CSS selector, with `text` if given, once it exists. */
  click(selector: string, text?: string): Promise<void>
  /** Types into the element of a selector; default: the one with the focus. */
  type(text: string, selector?: string): Promise<void>
  /** Resolves once an element of the selector, with `text` if given, exists. */
  shows(selector: string, text?: string): Promise<void>
}

/** Opens a browser with its own home directory on a virtual screen. Both end with the test. */
export async function openWebKit(): Promise<WebKit> {
  const home = await mkdtemp(join(tmpdir(), 'sav-webkit-'))
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '390x844x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  endsWithTest(screen)
  const [display] = await once(screen.stdout, 'data')
  const port = await freePort()
  const env = {
    ...process.env,
    DISPLAY: `:${String(display).trim()}`,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    LC_ALL: 'C',
  }
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' })
  endsWithTest(driver)
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { value } = JSON.parse(await response.text())
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`)
    return value
  }
  await expect.poll(() => send('GET', '/status').catch(() => null)).not.toBeNull()
  const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } })
  onTestFinished(() => send('DELETE', `/session/${sessionId}`))
  const call = (path: string, body: object) => send('POST', `/session/${sessionId}${path}`, body)
  const value = (expression: string) => call('/execute/sync', { script: `return (${expression})`, args: [] })

  const found = async (selector: string, text = '') => {
    const look = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.textContent.includes(${JSON.stringify(text)}))`
    let element: object | null = null
    await expect
      .poll(async () => {
        element = await value(look).catch(() => null)
        return element === null ? `${await value('document.body?.innerText').catch(String)}` : 'found'
      })
      .toBe('found')
    const [id] = Object.values(element ?? {})
    return id
  }
  return {
    open: (url) => call('/url', { url }),
    async click(selector, text) {
      await call(`/element/${await found(selector, text)}/click`, {})
    },
    async type(text, selector = 'body') {
      await call(`/element/${await found(selector)}/value`, { text })
    },
    async shows(selector, text) {
      await found(selector, text)
    },
  }
}

function endsWithTest(child: ChildProcess): void {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill()
    await ended
  })
}
