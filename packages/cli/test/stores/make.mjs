// Keeps a store as this release makes it, for the tests of later ones: `node packages/cli/test/stores/make.mjs`, before a
// release whose schema is new. Another checkout's store: its root as the argument.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../../../..'))
const dir = mkdtempSync(join(tmpdir(), 'sav-store-'))
const sav = (...args) => {
  const started = ['--import', join(root, 'test/source.mjs'), join(root, 'packages/cli/bin.js'), ...args, '--json']
  return JSON.parse(execFileSync(process.execPath, started, { cwd: dir, env: { PATH: process.env.PATH } }))
}

const { migrations } = sav('init')
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
writeFileSync(join(dir, 's.png'), Buffer.from(pixel, 'base64'))
sav('clients', 'add', '--nom', 'Durand', '--prenom', 'Hélène', '--email', 'helene.durand@example.com')
sav('clients', 'add', '--nom', 'Nguyễn', '--prenom', 'Aïcha', '--telephone', '06 12 34 56 78')
sav('poseurs', 'add', '--nom', 'Karim Benali')
sav('webhooks', 'add', 'https://receiver.example/hook', '--all-events', '--header', 'X-Canary: tweet')
sav('keys', 'create', '--name', 'site', '--permissions', 'sav:read,sav:write')
sav('cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus', '--priorite', 'haute')
sav(
  'cases',
  'create',
  '--client-id',
  '2',
  '--description',
  'Tiroir de l’îlot à régler, côté évier 🔧',
  '--photo',
  's.png',
)
sav('cases', 'create', '--client-id', '1', '--description', 'Joint silicone décollé le long du plan de travail')
sav('cases', 'update', '2', '--poseur-id', '1', '--statut', 'en_cours')
sav('cases', 'close', '1', '--resolution', 'Charnière remplacée', '--signature', 's.png')
sav('cases', 'close', '3', '--resolution', 'Joint refait sur toute la longueur')
sav('cases', 'reopen', '3', '--motif', 'Le joint se décolle de nouveau')

const file = join(dir, 'sav-data/sav.db')
const small = join(dir, 'small.db')
const database = new DatabaseSync(file)
database.prepare('vacuum into ?').run(small)
database.close()
const name = migrations.at(-1)
writeFileSync(join(import.meta.dirname, `${name}.db.gz`), gzipSync(readFileSync(small), { level: 9 }))
writeFileSync(join(import.meta.dirname, `${name}.key`), readFileSync(join(dir, 'sav-data/secret.key')))
rmSync(dir, { recursive: true })
process.stdout.write(`${name}\n`)
