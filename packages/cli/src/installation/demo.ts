import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eventKinds, type Sav } from '@sav/core'
import * as z from 'zod'
import { usageError } from '../invocation/command-error.js'
import { type Context, cliActor } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { compose } from '../running/compose.js'
import { isHttpUrl } from '../syntax/url.js'
import { fields } from '../terminal/table.js'
import { openOrMakeStore } from './store.js'

/** What the demo has made: kept beside the store, since keys and secrets are shown only once. */
const seededShape = z.object({
  account: z.string(),
  key: z.string(),
  clients: z.array(z.object({ id: z.int(), nom: z.string(), prenom: z.string() })),
  poseurs: z.array(z.object({ id: z.int(), nom: z.string() })),
  cases: z.array(z.object({ id: z.int(), reference: z.string() })),
  webhook: z.object({ id: z.string(), url: z.string(), secret: z.string() }),
})
type Seeded = z.output<typeof seededShape>

/** Fills the store once; later runs give the same again, with the webhook moved to `receiver`. */
export async function demo(context: Context, { receiver }: { readonly receiver: string }): Promise<Output> {
  const { settings, terminal } = context
  if (!isHttpUrl(receiver)) throw usageError(`--receiver ${receiver}: must be an http or https URL.`)
  const file = join(demoDirectory(settings), 'demo.json')
  const store = await openOrMakeStore(settings)
  try {
    const sav = compose(settings, store)
    const before = await reusable(await readSeeded(file), sav)
    const seeded = before ? await moveWebhook(sav, before, receiver) : await seed(sav, receiver)
    await keep(file, seeded)
    const text = fields(terminal, [
      ['Account', seeded.account],
      ['Key', seeded.key],
      ['Clients', seeded.clients.map(({ id, nom, prenom }) => `${id} ${prenom} ${nom}`).join(', ')],
      ['Poseurs', seeded.poseurs.map(({ id, nom }) => `${id} ${nom}`).join(', ')],
      ['Cases', seeded.cases.map(({ id, reference }) => `${id} ${reference}`).join(', ')],
      ['Webhook', `${seeded.webhook.id} to ${seeded.webhook.url}`],
      ['Secret', seeded.webhook.secret],
    ])
    return { json: seeded, text }
  } finally {
    await store.storage.close()
  }
}

async function seed(sav: Sav, receiver: string): Promise<Seeded> {
  const account = 'default'
  const actor = cliActor(account)
  // The webhook first: it is what may be refused.
  const webhook = await sav.webhooks.endpoints.add(actor, {
    url: receiver,
    events: [...eventKinds],
    description: 'Demo receiver',
  })
  const key = await sav.keys.create(actor, {
    nom: 'demo',
    permissions: ['sav:read', 'sav:write', 'directory:read', 'directory:write'],
  })
  const clients: Seeded['clients'] = []
  for (const client of demoClients) clients.push(await sav.directory.clients.add(actor, client))
  const poseurs: Seeded['poseurs'] = []
  for (const nom of ['Karim Benali', 'Lucie Moreau']) poseurs.push(await sav.directory.poseurs.add(actor, { nom }))

  const cases: Seeded['cases'] = []
  for (const [index, { assigned, ...problem }] of demoCases.entries()) {
    const client_id = clients[index % clients.length]?.id ?? 0
    const opened = await sav.cases.create(actor, { ...problem, client_id })
    if (assigned) await sav.cases.update(actor, opened.id, { statut: 'en_cours', poseur_id: poseurs[0]?.id })
    cases.push(opened)
  }
  return seededShape.parse({ account, key: key.key, clients, poseurs, cases, webhook })
}

const demoClients = [
  { nom: 'Durand', prenom: 'Hélène', email: 'helene.durand@example.com', telephone: '+33 6 00 00 00 01' },
  { nom: 'Nguyen', prenom: 'Paul', email: 'paul.nguyen@example.com', adresse: '3 rue des Lilas, 69003 Lyon' },
  { nom: 'Petit', prenom: 'Aïcha', telephone: '+33 6 00 00 00 03', whatsapp: true },
]

const demoCases = [
  {
    description: 'La porte du meuble sous évier ne ferme plus, charnière du bas cassée.',
    type_probleme: 'quincaillerie',
    priorite: 'haute',
    assigned: true,
  },
  {
    description: 'Le plan de travail présente un éclat près de la plaque de cuisson.',
    type_probleme: 'plan_travail',
    priorite: 'normale',
    assigned: false,
  },
  {
    description: 'Façade du tiroir central rayée à la livraison, à remplacer.',
    type_probleme: 'facade',
    priorite: 'basse',
    assigned: false,
  },
] as const

/** Null unless key and webhook still work in this very store. */
async function reusable(seeded: Seeded | null, sav: Sav): Promise<Seeded | null> {
  if (seeded === null || (await sav.keys.authenticate(seeded.key, '127.0.0.1')) === null) return null
  const endpoints = await sav.webhooks.endpoints.list(seeded.account)
  return endpoints.some(({ id, disabled_at }) => id === seeded.webhook.id && disabled_at === null) ? seeded : null
}

/** The receiver of a demo listens on another port each time, while its secret stays. */
async function moveWebhook(sav: Sav, seeded: Seeded, receiver: string): Promise<Seeded> {
  const { account, webhook } = seeded
  if (webhook.url === new URL(receiver).href) return seeded
  const { url } = await sav.webhooks.endpoints.update(cliActor(account), webhook.id, { url: receiver })
  return { ...seeded, webhook: { ...webhook, url } }
}

/** Beside the store, or with the secret key where the store is no file. */
function demoDirectory({ database, secretKeyFile }: Context['settings']): string {
  return dirname(database.kind === 'sqlite' ? database.path : secretKeyFile)
}

async function readSeeded(file: string): Promise<Seeded | null> {
  const text = await readFile(file, 'utf8').catch(() => 'null')
  return seededShape.nullable().catch(null).parse(JSON.parse(text))
}

async function keep(file: string, seeded: Seeded): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(seeded, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
