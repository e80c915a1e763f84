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

/** The processes that this one has started to draw. */
const drawing = (): number[] =>
  readdirSync(`/proc/${process.pid}/task`)
    .flatMap((task) => readIfThere(`/proc/${process.pid}/task/${task}/children`).trim().split(' '))
    .map(Number)
    .filter((pid) => pid > 0 && readIfThere(`/proc/${pid}/cmdline`).includes('drawing-child'))

/** Threads and processes come and go between two looks. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

describe('a picture that unfolds to 800 MB', () => {
  const vast = reportPhoto(vastPng(9999, { interlaced: true }), 'image/png')

  test('is named in its place, and holds up neither its report, nor another, nor this process', async () => {
    const renderer = open({ maxMemoryMb: 350 })
    const sound = await photo('#446688')
    const photos = [sound, vast, sound]
    const given = await content({ ...plain, photos, description: 'W'.repeat(2000), resolution: 'W'.repeat(4000) })
    let drawn: Uint8Array = new Uint8Array()
    const turn = await longestTurn(async () => {
      drawn = await renderer.render(given)
    })
    // Layout alone took 600 ms and more here.
    expect(turn).toBeLessThan(150)
    const words = wordsOf(await pdfPages(drawn))
    expect(words.split(named)).toHaveLength(2)
    expect(words).toContain('Photo 3')
    expect(await wordsIn(renderer, { photos: [sound] })).not.toContain(named)
  })
})

test('pictures that take long have a time together, and are named beyond it', async () => {
  const slow = reportPhoto(vastPng(9999, { interlaced: false }), 'image/png')
  const renderer = open({ renderTimeoutMs: 1500 })
  const words = await wordsIn(renderer, { ...plain, photos: Array.from({ length: 10 }, () => ({ ...slow })) })
  expect(words.split(named)).toHaveLength(11)
  const small = await wordsIn(renderer, { ...plain, photos: [await photo('#446688', { width: 20, height: 20 })] })
  expect(small).not.toContain(named)
})

describe('words without a space', () => {
  test.each(['W', 'é', 'a\u00a0', 'Ж'])('of 16,000 %j are laid out at once', async (letter) => {
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

describe.runIf(process.platform === 'linux')('the process that draws', () => {
  test('that is killed is started again, and the report loses nothing', async () => {
    const renderer = open()
    const changes = { ...plain, photos: [await photo('#446688')] }
    const expected = await renderer.render(await content(changes))
    const again = renderer.render(await content(changes))
    for (const pid of drawing()) process.kill(pid, 'SIGKILL')
    expect(Buffer.compare(await again, expected)).toBe(0)
  })

  test('that gets no time of a processor for longer than a picture may take draws it all the same', async () => {
    const renderer = open({ renderTimeoutMs: 6000 })
    const changes = { ...plain, photos: [await photo('#446688')] }
    const expected = await renderer.render(await content(changes))
    const again = renderer.render(await content(changes))
    for (const pid of drawing()) process.kill(pid, 'SIGSTOP')
    // Each picture may take half of it.
    await delay(3500)
    for (const pid of drawing()) process.kill(pid, 'SIGCONT')
    expect(Buffer.compare(await again, expected)).toBe(0)
  })

  test('knows nothing of the environment of the service, and outlives the signals that end it', async () => {
    vi.stubEnv('SAV_SECRET_KEY', 'canary-of-the-secret-key')
    const renderer = open()
    await renderer.render(await content(plain))
    vi.unstubAllEnvs()
    const before = drawing()
    expect(readFileSync(`/proc/${before[0]}/environ`, 'utf8')).not.toContain('canary')
    // The service still has reports to draw.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) for (const pid of before) process.kill(pid, signal)
    await renderer.render(await content(plain))
    expect(before).toHaveLength(1)
    expect(drawing()).toEqual(before)
  })

  test('is started again if a signal to the whole service ends it before it can answer', async () => {
    const renderer = open()
    const underWay = renderer.render(await content(plain))
    await expect.poll(drawing, { interval: 1 }).toHaveLength(1)
    const [first = 0] = drawing()
    process.kill(first, 'SIGTERM')
    await underWay
    expect(drawing()).toHaveLength(1)
    expect(drawing()).not.toContain(first)
  })

  test('ends when there is nothing to draw for a while, and when it is closed', async () => {
    const renderer = open({ idleMs: 50 })
    await renderer.render(await content(plain))
    await expect.poll(drawing).toEqual([])
    const underWay = renderer.render(await content({ ...plain, photos: [await photo('#446688')] }))
    // By this the core tells callers of the service to ask again.
    const failed = expect(underWay).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(drawing).toHaveLength(1)
    await renderer.close()
    expect(drawing()).toEqual([])
    await failed
    await delay(100)
    expect(drawing()).toEqual([])
  })
})
