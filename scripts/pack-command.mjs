// node scripts/pack-command.mjs FOLDER: packs the command, and our packages that it depends on, for the Dockerfile.
import { mkdirSync } from 'node:fs'
import { packCommand } from './packages.mjs'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node scripts/pack-command.mjs FOLDER')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
packCommand(folder)
