// node scripts/pack-command.mjs FOLDER: packs the command and the packages that it depends on, as npm would get them
// (Dockerfile).
import { mkdirSync } from 'node:fs'
import { packCommand } from './packages.mjs'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node scripts/pack-command.mjs FOLDER')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
packCommand(folder)
