// node scripts/build-side-by-side.mjs PART…: builds these parts in parallel. Exits with 1 if one of them fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parts } from './build-parts.mjs'
import { env, root } from './prepare.mjs'

async function build(name) {
  const [command, ...args] = parts[name].command
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  if (code === 0) return
  console.error(`${said}building the ${name} failed`)
  process.exitCode = 1
}

await Promise.all(process.argv.slice(2).map(build))
