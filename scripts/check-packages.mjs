// A part of npm test: packs all packages and checks the tarballs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTarballs, packAll } from './packages.mjs'

const folder = mkdtempSync(join(tmpdir(), 'sav-packages-'))
await checkTarballs(packAll(folder), { changelog: false })
rmSync(folder, { recursive: true })
