import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { bin, nodeOptions, readyWorkplace } from './workplace.js'

/** The last timer of a command, which ends what still keeps its process alive, fires at once: no test waits for it. */
const hastened = `data:text/javascript,${encodeURIComponent(
  'const later = setTimeout; globalThis.setTimeout = (f, ms, ...more) => later(f, ms === 500 ? 0 : ms, ...more)',
)}`

it('a command does not end before its reader has taken all that it printed', async () => {
  const shop = await readyWorkplace()
  const rows = Array.from({ length: 200 }, (_, n) => {
    const description = `${n}: la porte du four ne ferme plus. `.repeat(100)
    return JSON.stringify({
      id_externe: `${n}`,
      client_id: 1,
      description,
      statut: 'ouvert',
      date_creation: '2026-01-15',
    })
  })
  await shop.write('cases.ndjson', rows.join('\n'))
  await shop.json(['import', 'cases.ndjson', '--type', 'cases'])
  const args = [...nodeOptions, '--import', hastened, bin, 'cases', 'list', '--limite', '200', '--json']
  const listing = spawn(process.execPath, args, { cwd: shop.dir, env: { PATH: process.env['PATH'] } })
  const printed = await text(listing.stdout)
  expect(JSON.parse(printed)).toHaveLength(200)
  // More than a socket or a pipe holds.
  expect(printed.length).toBeGreaterThan(500_000)
})
