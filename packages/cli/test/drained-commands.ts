import { writeSync } from 'node:fs'

// Runs in a separate process. Calls the `main` of `sav` for each command of its argument, with an action that never
// finishes. When the event loop is empty, it records the exit code and starts the next command. After the last one, the
// process ends.

const { main }: typeof import('../src/main.js') =
  process.env['SAV_TEST_BUILT'] === '1'
    ? await import(new URL('../dist/main.js', import.meta.url).href)
    : await import('../src/main.js')

const commands: readonly (readonly string[])[] = JSON.parse(process.argv[2] ?? '[]')
const told: unknown[] = []
let stderr = ''
process.stderr.write = (text: string | Uint8Array) => {
  stderr += text
  return true
}
// Each `main` adds listeners for signals and streams. Node must not warn about their number.
process.setMaxListeners(0)
process.stdout.setMaxListeners(0)
process.stderr.setMaxListeners(0)

function start(): void {
  stderr = ''
  process.argv = ['node', 'sav', ...(commands[told.length] ?? [])]
  void main(() => new Promise(() => {}))
}

// Runs before the listener of `main`, which is added later and writes to stderr: `setImmediate` waits until both
// listeners have run.
process.on('beforeExit', () => {
  if (told.length === commands.length) return
  setImmediate(() => {
    told.push({ argv: commands[told.length], exitCode: process.exitCode, stderr })
    if (told.length < commands.length) start()
    else writeSync(1, JSON.stringify(told))
  })
})
start()
