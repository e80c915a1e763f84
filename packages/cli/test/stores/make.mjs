// Saves a store as this release makes it, for the upgrade tests of later releases. Run it before a release that has a
// new migration: `node packages/cli/test/stores/make.mjs 1.1.0`. `--postgres URL` saves a store on PostgreSQL as SQL. The
// URL names an empty database of PostgreSQL 15, and `pg_dump` must be on the PATH.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

const { values, positionals } = parseArgs({ options: { postgres: { type: 'string' } }, allowPositionals: true })
const [release] = positionals
if (!/^\d+\.\d+\.\d+$/.test(release ?? '')) throw new Error('Name the release to come: make.mjs 1.1.0')
const root = join(import.meta.dirname, '../../../..')
const dir = mkdtempSync(join(tmpdir(), 'sav-store-'))
const env = { PATH: process.env.PATH, ...(values.postgres && { SAV_DATABASE: values.postgres, SAV_AUTO_MIGRATE: '1' }) }
const sav = (...args) => {
  const started = ['--import', join(root, 'test/source.mjs'), join(root, 'packages/cli/bin.js'), ...args, '--json']
  return JSON.parse(execFileSync(process.execPath, started, { cwd: dir, env }))
}

sav('init')
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
writeFileSync(join(dir, 's.png'), Buffer.from(pixel, 'base64'))
sav('clients', 'add', '--nom', 'Durand', '--prenom', 'Hélène', '--email', 'helene.durand@example.com')
sav('clients', 'add', '--nom', 'Nguyễn', '--prenom', 'Aïcha', '--telephone', '06 12 34 56 78')
sav('poseurs', 'add', '--nom', 'Karim Benali')
sav('webhooks', 'add', 'https://receiver.example/hook', '--all-events', '--header', 'X-Canary: tweet')
sav('keys', 'create', '--name', 'site', '--permissions', 'sav:read,sav:write')
sav('cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus', '--priorite', 'haute')
const tiroir = 'Tiroir de l’îlot à régler, côté évier 🔧'
sav('cases', 'create', '--client-id', '2', '--description', tiroir, '--photo', 's.png')
sav('cases', 'create', '--client-id', '1', '--description', 'Joint silicone décollé le long du plan de travail')
sav('cases', 'update', '2', '--poseur-id', '1', '--statut', 'en_cours')
sav('cases', 'close', '1', '--resolution', 'Charnière remplacée', '--signature', 's.png')
sav('cases', 'close', '3', '--resolution', 'Joint refait sur toute la longueur')
sav('cases', 'reopen', '3', '--motif', 'Le joint se décolle de nouveau')

// A past and a coming visit, a calendar, users, and an erased client.
const book = (debut, ...more) =>
  sav('planning', 'book', '--poseur-id', '1', '--debut', debut, '--duree', '90', '--client-id', '2', ...more)
const { id: made } = book('2026-11-02T08:00:00Z', '--sav-id', '2')
sav('planning', 'done', String(made), '--resultat', 'partiel', '--compte-rendu', 'Coulisse démontée, pièce commandée')
book('2036-11-03T08:00:00Z', '--sav-id', '2')
sav('planning', 'ics', '1')
sav('users', 'add', '--nom', 'Claire Petit', '--email', 'claire@atelier.example', '--role', 'administration')
sav('users', 'add', '--nom', 'Karim Benali', '--email', 'karim@atelier.example', '--role', 'atelier')
sav('clients', 'add', '--nom', 'Oubliée', '--prenom', 'Odile', '--email', 'odile@example.com')
sav('cases', 'create', '--client-id', '3', '--description', 'Poignée d’Odile à refixer')
sav('cases', 'update', '4', '--notes-internes', 'Rappeler Odile Oubliée')
sav('clients', 'erase', '3', '--yes')

if (values.postgres) {
  const sql = execFileSync('pg_dump', ['--no-owner', '--inserts', '--dbname', values.postgres])
  // Removes commands of psql, and settings that would stay on the connection.
  const plain = sql.toString().replaceAll(/^(\\.*|SET .*;|SELECT pg_catalog\.set_config\('search_path'.*)\n/gm, '')
  writeFileSync(join(import.meta.dirname, `${release}.sql.gz`), gzipSync(plain, { level: 9 }))
  writeFileSync(join(import.meta.dirname, `${release}.sql.key`), readFileSync(join(dir, 'sav-data/secret.key')))
} else {
  const small = join(dir, 'small.db')
  const database = new DatabaseSync(join(dir, 'sav-data/sav.db'))
  database.prepare('vacuum into ?').run(small)
  database.close()
  writeFileSync(join(import.meta.dirname, `${release}.db.gz`), gzipSync(readFileSync(small), { level: 9 }))
  writeFileSync(join(import.meta.dirname, `${release}.key`), readFileSync(join(dir, 'sav-data/secret.key')))
}
rmSync(dir, { recursive: true })
process.stdout.write(`${release}\n`)
