import { expect, it } from 'vitest'
import { stopClock } from './clock.js'
import { readyWorkplace } from './workplace.js'

/** Replaces ids and times, which differ from run to run, by texts of the same length. */
const stable = (text: string) =>
  text
    .replace(/\b(wh|dlv|evt|key|usr)_\w+/g, (id, kind) => `${kind}_`.padEnd(id.length, 'x'))
    .replace(/\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?/g, (time) => '2026-01-15 10:30:00'.slice(0, time.length))
    .replace(/SAV-\d{4}-/g, 'SAV-2026-')
    .replace(/\b(in )?\d+ (s|min|h)( ago)?\b/g, (time) => 'just now'.padEnd(time.length).slice(0, time.length))
    .replace(/[ \t]+$/gm, '')

it.each([80, 120])('on a terminal of %i columns the main lists look like this', async (columns) => {
  stopClock()
  const shop = await readyWorkplace()
  await shop.json('clients add --nom 山田 --prenom Éléonore-Marie --email em.yamada@example.com')
  await shop.json(['poseurs', 'add', '--nom', 'Karim Benali', '--couleur', '#2f7d5b'])
  for (const [client, priorite, description] of [
    ['1', 'urgente', 'La porte du four ne ferme plus depuis ce matin, le joint est arraché sur toute la hauteur'],
    ['2', 'normale', 'Façade rayée 🪵 à droite de l’évier'],
  ] as const)
    await shop.json(['cases', 'create', '--client-id', client, '--priorite', priorite, '--description', description])
  await shop.json('cases update 2 --poseur-id 1 --statut en_cours')
  await shop.json('webhooks add https://example.com/hooks/apres-vente --events sav.created,sav.closed')
  const book = ['planning', 'book', '--poseur-id', '1', '--duree', '90', '--debut']
  await shop.json([...book, '2027-01-12T09:00', '--sav-id', '1'])
  await shop.json([...book, '2027-01-14T14:30', '--client-id', '2', '--statut', 'confirme'])
  const screens: string[] = []
  const lists = ['cases list', 'clients list', 'poseurs list', 'webhooks list', 'accounts list', 'accounts show']
  for (const command of [...lists, 'planning week --date 2027-01-12']) {
    const { code, stdout } = await shop.sav(command, { TERM: 'dumb' }, { columns })
    expect([command, code]).toEqual([command, 0])
    screens.push(`$ sav ${command}\n${stable(stdout)}`)
  }
  await expect(screens.join('\n')).toMatchFileSnapshot(`golden/lists-${columns}.txt`)
})
