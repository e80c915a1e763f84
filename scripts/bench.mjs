// npm run bench [-- NAME…] [--json] [--full]: measures speed beside a bare baseline in the same run. --chart redraws
// docs/performance.svg.
import { spawn } from 'node:child_process'
import { env, prepare, root } from './prepare.mjs'

prepare()
const bench = spawn('node', ['bench/src/run.ts', ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => bench.kill(signal))
bench.once('exit', (code) => {
  process.exitCode = code ?? 1
})
