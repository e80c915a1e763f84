// pnpm puts a shell wrapper at node_modules/.bin/node. The wrapper does not exec, so a signal sent to
// node_modules/.bin/sav would end the shell and leave the service running. A symlink to the pinned binary does not.
import { existsSync, rmSync, symlinkSync } from 'node:fs'

const link = new URL('../node_modules/.bin/node', import.meta.url)
const pinned = new URL('../node_modules/node/bin/node', import.meta.url)

if (process.platform !== 'win32' && existsSync(pinned)) {
  rmSync(link, { force: true })
  symlinkSync('../node/bin/node', link)
}
