import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workplace } from './workplace.js'

/** A module that prints the peak memory of its process at the end, in KB. */
const measuring = `
  import { writeSync } from 'node:fs'
  import { peakMemory } from '${new URL('../../../test/peak-memory.mjs', import.meta.url)}'
  process.on('exit', () => writeSync(2, 'peak ' + peakMemory()))
`

/** Runs a command. Resolves to its output and its peak memory in MB. */
export async function measured(shop: Workplace, args: readonly string[], stdin: string | null = null) {
  const temporary = join(shop.dir, 'tmp')
  await mkdir(temporary, { recursive: true })
  const hook = await shop.write('measuring.mjs', measuring)
  const child = shop.start(args, { NODE_OPTIONS: `--import ${hook}`, TMPDIR: temporary })
  const input = child.process.stdin
  if (stdin === null) input?.end()
  // The command closes its input as soon as it has read enough. For this process, that is an error, which it ignores.
  else if (input)
    createReadStream(stdin)
      .on('error', () => {})
      .pipe(input.on('error', () => {}))
  const { code, stdout, stderr } = await child.ended()
  const [said = '', peak = ''] = stderr.split('peak ')
  return { code, stdout, said, megabytes: Number(peak) / 1024 }
}
