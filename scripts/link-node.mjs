// pnpm puts a shell wrapper at node_modules/.bin/node. The wrapper does not `exec` Node, so a signal sent to
// node_modules/.bin/sav would end the shell and leave the service running. A symlink to the pinned binary avoids this.
//
// pnpm's wrapper of sav reads files beside the path by which it was called, so it fails when it is called through a
// link. Our wrapper resolves the link first.
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'

const node = new URL('../node_modules/.bin/node', import.meta.url)
const sav = new URL('../node_modules/.bin/sav', import.meta.url)
const pinned = new URL('../node_modules/node/bin/node', import.meta.url)

const wrapper = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../@sav/cli/bin.js" "$@"
`

if (process.platform !== 'win32' && existsSync(pinned)) {
  rmSync(node, { force: true })
  symlinkSync('../node/bin/node', node)
  if (!existsSync(sav) || readFileSync(sav, 'utf8') !== wrapper) {
    rmSync(sav, { force: true })
    writeFileSync(sav, wrapper, { mode: 0o755 })
  }
}
