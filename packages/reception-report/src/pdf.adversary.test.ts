import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ReportContent } from '@sav/core/ports'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { longestTurn } from '../../../test/longest-turn.js'
import { vastPng } from '../test/hostile.js'
import { pdfPages, wordsOf } from '../test/pdf-pages.js'
import { content, photo, reportPhoto } from '../test/sample.js'
import { layOut } from './document.js'
import { type ClosableRenderer, createReportRenderer, type ReportRendererOptions } from './pdf.js'

const opened: ClosableRenderer[] = []
afterEach(() => Promise.all(opened.splice(0).map((renderer) => renderer.close())))

function open(options: Partial<ReportRendererOptions> = {}): ClosableRenderer {
  const renderer = createReportRenderer({ timeZone: 'Europe/Paris', ...options })
  opened.push(renderer)
  return renderer
}

async function wordsIn(renderer: ClosableRenderer, changes: Partial<ReportContent>): Promise<string> {
  return wordsOf(await pdfPages(await renderer.render(await content(changes))))
}

const named = 'Image trop lourde pour être imprimée : conservée au dossier'
const plain = { photos: [], photo_avant: null, photo_apres: null, logo: null, signature: null } as const

/** The ids of the drawing processes of this process. */
const drawing = (): number[] =>
  readdirSync(`/proc/${process.pid}/task`)
    .flatMap((task) => readIfThere(`/proc/${process.pid}/task/${task}/children`).trim().split(' '))
    .map(Number)
    .filter((pid) => pid > 0 && readIfThere(`/proc/${pid}/cmdline`).includes('drawing-child'))

/** The content of a file in /proc; empty if its thread or process has ended. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

describe('a picture that decodes to 800 MB', () => {
  const vast = reportPhoto(vastPng(9999, { interlaced: true }), 'image/png')

  test('is replaced by a note; its report and the next one are drawn, and this process is not blocked', async () => {
    const renderer = open({ maxMemoryMb: 350 })
    const sound = await photo('#446688')
    const photos = [sound, vast, sound]
    const given = await content({ ...plain, photos, description: 'W'.repeat(2000), resolution: 'W'.repeat(4000) })
    let drawn: Uint8Array = new Uint8Array()
    const turn = await longestTurn(async () => {
      drawn = await renderer.render(given)
    })
    // When the layout ran in this process, it blocked the event loop for 600 ms.
    expect(turn).toBeLessThan(150)
    const words = wordsOf(await pdfPages(drawn))
    expect(words.split(named)).toHaveLength(2)
    expect(words).toContain('Photo 3')
    expect(await wordsIn(renderer, { photos: [sound] })).not.toContain(named)
  })
})

test('slow pictures share a time limit; once it is used up, the rest are replaced by a note', async () => {
  const slow = reportPhoto(vastPng(9999, { interlaced: false }), 'image/png')
  const renderer = open({ renderTimeoutMs: 1500 })
  const words = await wordsIn(renderer, { ...plain, photos: Array.from({ length: 10 }, () => ({ ...slow })) })
  expect(words.split(named)).toHaveLength(11)
  const small = await wordsIn(renderer, { ...plain, photos: [await photo('#446688', { width: 20, height: 20 })] })
  expect(small).not.toContain(named)
})

describe('long words', () => {
  test.each(['W', 'é', 'a\u00a0', 'Ж'])('of 16,000 %j are laid out quickly', async (letter) => {
    const of = (length: number) => letter.repeat(length).slice(0, length)
    const given = await content({
      ...plain,
      description: of(2000),
      resolution: of(4000),
      reserves: Array(20).fill(of(500)),
    })
    const turn = await longestTurn(() => layOut({ ...plain, photos: [], content: given }, 'Europe/Paris'))
    expect(turn).toBeLessThan(500)
  })
})

describe.runIf(process.platform === 'linux')('the drawing process', () => {
  test('is started again when killed, and the report is complete', async () => {
    const renderer = open()
    const changes = { ...plain, photos: [await photo('#446688')] }
    const expected = await renderer.render(await content(changes))
    const again = renderer.render(await content(changes))
    for (const pid of drawing()) process.kill(pid, 'SIGKILL')
    expect(Buffer.compare(await again, expected)).toBe(0)
  })

  test('draws the complete report after a pause that is longer than the time limit of a picture', async () => {
    const renderer = open({ renderTimeoutMs: 6000 })
    const changes = { ...plain, photos: [await photo('#446688')] }
    const expected = await renderer.render(await content(changes))
    const again = renderer.render(await content(changes))
    for (const pid of drawing()) process.kill(pid, 'SIGSTOP')
    // The pause is longer than the limit of one picture, which is half of `renderTimeoutMs`.
    await delay(3500)
    for (const pid of drawing()) process.kill(pid, 'SIGCONT')
    expect(Buffer.compare(await again, expected)).toBe(0)
  })

  test('inherits no secrets from the environment, and ignores signals that are sent to the service', async () => {
    vi.stubEnv('SAV_SECRET_KEY', 'canary-of-the-secret-key')
    const renderer = open()
    await renderer.render(await content(plain))
    vi.unstubAllEnvs()
    const before = drawing()
    expect(readFileSync(`/proc/${before[0]}/environ`, 'utf8')).not.toContain('canary')
    // The process must survive signals to the service, which may still have reports to draw.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) for (const pid of before) process.kill(pid, signal)
    await renderer.render(await content(plain))
    expect(before).toHaveLength(1)
    expect(drawing()).toEqual(before)
  })

  test('is started again if a signal to the service ends it during its start', async () => {
    const renderer = open()
    const underWay = renderer.render(await content(plain))
    await expect.poll(drawing, { interval: 1 }).toHaveLength(1)
    const [first = 0] = drawing()
    process.kill(first, 'SIGTERM')
    await underWay
    expect(drawing()).toHaveLength(1)
    expect(drawing()).not.toContain(first)
  })

  test('ends when idle, and when closed', async () => {
    const renderer = open({ idleMs: 50 })
    await renderer.render(await content(plain))
    await expect.poll(drawing).toEqual([])
    const underWay = renderer.render(await content({ ...plain, photos: [await photo('#446688')] }))
    // After an AbortError, the core asks callers to try again.
    const failed = expect(underWay).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(drawing).toHaveLength(1)
    await renderer.close()
    expect(drawing()).toEqual([])
    await failed
    await delay(100)
    expect(drawing()).toEqual([])
  })
})
