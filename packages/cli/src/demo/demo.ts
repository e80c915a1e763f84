import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AllFeatures } from '@sav/all'
import {
  type CommandOutput,
  type Context,
  cliActor,
  commandCall,
  confirm,
  counted,
  depsOf,
  fields,
  isHttpUrl,
  openStoreWithKey,
  usageError,
  weekOf,
  withFeature,
} from '@sav/command/feature'
import { type CreateKeyInput, createUseCases, type Write } from '@sav/core'
import { businessCalendar } from '@sav/core/adapter'
import type { Clock } from '@sav/core/ports'
import { systemClock } from '@sav/http-node/runtime'
import type { AddUserInput } from '@sav/people'
import type { BookRdvInput } from '@sav/planning'
import { type EventKind, eventKinds } from '@sav/webhook-verify'
import * as z from 'zod'
import { dayOfDemo, seedDay } from './demo-day.js'
import { seedMonth } from './demo-month.js'
import type { WholeSav } from './whole-sav.js'

/** The results of the demo, kept beside the store, since keys and secrets are shown only once. */
const seededShape = z.object({
  account: z.string(),
  key: z.string(),
  clients: z.array(z.object({ id: z.int(), nom: z.string(), prenom: z.string() })),
  poseurs: z.array(z.object({ id: z.int(), nom: z.string() })),
  cases: z.array(z.object({ id: z.int(), reference: z.string() })),
  rdv: z.array(z.object({ id: z.int(), debut: z.string() })).default([]),
  webhook: z.object({ id: z.string(), url: z.string(), secret: z.string() }).nullable(),
  utilisateur: z.object({ id: z.string(), email: z.string() }).optional(),
  /** The installer with a phone, and the day of that installer's visits. */
  terrain: z.object({ id: z.string(), email: z.string(), date: z.string(), rdv: z.int() }).optional(),
  /** The cases and appointments of last month. */
  mois: z.object({ cases: z.int(), rdv: z.int() }).default({ cases: 0, rdv: 0 }),
})
type DemoSeed = z.output<typeof seededShape>

export interface DemoOptions {
  readonly receiver?: string
  readonly yes?: boolean
}

/** Fills the store once; later runs return the same data, with the webhook moved to `receiver`, if there is one. */
export async function demo(context: Context, { receiver, yes }: DemoOptions): Promise<CommandOutput> {
  const { settings, terminal } = context
  if (receiver !== undefined && !isHttpUrl(receiver))
    throw usageError(`--receiver ${receiver}: must be an http or https URL.`)
  const file = join(demoDirectory(settings), 'demo.json')
  const store = await openStoreWithKey(settings)
  try {
    const time = demoClock()
    const sav = withFeature<AllFeatures>(createUseCases({ ...(await depsOf(settings, store)), clock: time.clock }))
    if (!existsSync(file)) await confirmBesideCases(context, sav, yes)
    const before = await reusable(await readSeeded(file), sav)
    const shop = before
      ? await withWebhook(sav, before, receiver)
      : await seed(sav, time, { receiver, timeZone: settings.timeZone, allowLocal: settings.allowLocalReceivers })
    const utilisateur = await demoUser(sav, shop.account, demoPerson)
    const terrain = await demoField(sav, shop, settings.timeZone)
    const seeded = { ...shop, utilisateur, terrain }
    await keep(file, seeded)
    const text = fields(terminal, [
      ['Account', seeded.account],
      ['Key', seeded.key],
      ['Clients', seeded.clients.map(({ id, nom, prenom }) => `${id} ${prenom} ${nom}`).join(', ')],
      ['Poseurs', seeded.poseurs.map(({ id, nom }) => `${id} ${nom}`).join(', ')],
      ['Cases', seeded.cases.map(({ id, reference }) => `${id} ${reference}`).join(', ')],
      ['Appointments', `${seeded.rdv.length} this week: sav planning week`],
      ['Last month', `${counted(seeded.mois.cases, 'case')}, ${counted(seeded.mois.rdv, 'appointment')}`],
      ['Webhook', seeded.webhook && `${seeded.webhook.id} to ${seeded.webhook.url}`],
      ['Secret', seeded.webhook?.secret ?? null],
      ['Console', `sav users invite ${seeded.utilisateur.id} makes a link that signs ${seeded.utilisateur.email} in`],
      [
        'In the field',
        `${counted(terrain.rdv, 'visit')} of ${demoInstaller.nom} on ${terrain.date}: sav field-link ${terrain.id}`,
      ],
    ])
    return { json: seeded, text }
  } finally {
    await store.storage.close()
  }
}

/** Asks before a shop with cases gets invented ones, which cannot be removed again. Scripts are not asked. */
async function confirmBesideCases(context: Context, sav: WholeSav, yes: boolean | undefined): Promise<void> {
  if (context.ask === null) return
  const { total } = await sav.cases.list('default', { limite: 1 })
  if (total === 0) return
  const question = `The store has ${counted(total, 'case')} already. Add invented ones as well?`
  await confirm(context, { yes, question })
}

interface SeedOptions {
  readonly receiver: string | undefined
  readonly timeZone: string
  readonly allowLocal: boolean
}

/** A clock that shows the machine's time until it is set to a past time. */
function demoClock() {
  let set: number | null = null
  const clock: Clock = { ...systemClock, now: () => set ?? systemClock.now() }
  return {
    clock,
    set(ms: number) {
      set = ms
    },
    reset() {
      set = null
    },
  }
}

async function seed(
  sav: WholeSav,
  time: ReturnType<typeof demoClock>,
  { receiver, timeZone, allowLocal }: SeedOptions,
): Promise<DemoSeed> {
  const account = 'default'
  const actor = cliActor(account)
  const calendar = businessCalendar(timeZone)
  const week = weekOf(calendar.dateAt(Date.now()))
  const monday = week[0] ?? ''
  // Adds the webhook first, since it may be refused. It gets events from today on.
  const webhook = receiver === undefined ? null : await addWebhook(sav, account, receiver, ['sav.report_failed'])
  time.set(calendar.timeOfDay(monday, 0) - 30 * 86_400_000)
  const clients: DemoSeed['clients'] = []
  for (const client of demoClients) clients.push(await sav.directory.clients.add(actor, client))
  const poseurs: DemoSeed['poseurs'] = []
  for (const poseur of demoPoseurs) poseurs.push(await sav.directory.poseurs.add(actor, poseur))
  const mois = await seedMonth(sav, time, {
    ...{ account, monday, calendar },
    clients: clients.map(({ id }) => id),
    poseurs: poseurs.map(({ id }) => id),
    // Port 9 (`discard`) has no listener.
    failingReceiver: allowLocal ? 'http://127.0.0.1:9/ancien-erp' : null,
  })

  time.reset()
  if (webhook !== null) await sav.webhooks.endpoints.update(actor, webhook.id, { events: [...eventKinds] })
  const holding: CreateKeyInput = {
    nom: 'demo',
    permissions: ['sav:read', 'sav:write', 'directory:read', 'directory:write', 'planning:read', 'planning:write'],
  }
  const key = await audited(sav, 'key', sav.writes.keys.create(actor, holding))
  const cases: DemoSeed['cases'] = []
  for (const [index, { assigned, ...problem }] of demoCases.entries()) {
    const client_id = clients[index % clients.length]?.id ?? 0
    const opened = await sav.cases.create(actor, { ...problem, client_id })
    if (assigned) await sav.cases.update(actor, opened.id, { statut: 'en_cours', poseur_id: poseurs[0]?.id })
    cases.push(opened)
  }
  const rdv: DemoSeed['rdv'] = []
  for (const { day, minutes, poseur, client, ofCase, ...visit } of demoVisits) {
    const debut = new Date(calendar.timeOfDay(week[day] ?? '', minutes)).toISOString()
    const whom = ofCase === undefined ? { client_id: clients[client]?.id } : { sav_id: cases[ofCase]?.id }
    rdv.push(await sav.planning.book(actor, { ...visit, ...whom, debut, poseur_id: poseurs[poseur]?.id }))
  }
  return seededShape.parse({ account, key: key.key, clients, poseurs, cases, rdv, webhook, mois })
}

/** Adds a user, a key or a receiver, with its row in the audit. */
const audited = <Subject extends { readonly id: string }>(
  sav: WholeSav,
  kind: string,
  write: Write<Subject>,
): Promise<Subject> => {
  const startedAt = Date.now()
  return sav.perform(write, (tx, { id }) =>
    sav.audit.record(tx, commandCall('default', { command: 'sav demo', startedAt, target: `${kind}:${id}` })),
  )
}

/** A user: the existing one, or a new one. */
async function demoUser(sav: WholeSav, account_id: string, person: AddUserInput) {
  const known = (await sav.users.list(account_id)).find(({ email }) => email === person.email)
  const { id } = known ?? (await audited(sav, 'user', sav.writes.users.add(cliActor(account_id), person)))
  return { id, email: person.email }
}

/** An installer with a day of visits: the existing ones of that day, or new ones. */
async function demoField(sav: WholeSav, { account, clients }: DemoSeed, timeZone: string) {
  const calendar = businessCalendar(timeZone)
  const date = dayOfDemo(calendar, Date.now())
  const known = (await sav.users.list(account)).find(({ email }) => email === demoInstaller.email)
  const poseur_id = known?.poseur_id ?? (await sav.directory.poseurs.add(cliActor(account), demoYanis)).id
  const user = await demoUser(sav, account, { ...demoInstaller, poseur_id })
  const planned = await sav.planning.list(account, { du: date, au: date, poseur_id })
  if (planned.total > 0) return { ...user, date, rdv: planned.total }
  const rdv = await seedDay(sav, calendar, date, { account, poseur_id, clients: clients.map(({ id }) => id) })
  return { ...user, date, rdv }
}

const demoPerson = { nom: 'Claire Petit', email: 'claire.petit@example.com', role: 'administration' } as const
const demoInstaller = { nom: 'Yanis Haddad', email: 'yanis.haddad@example.com', role: 'poseur' } as const
const demoYanis = { nom: demoInstaller.nom, couleur: '#35608f', lieu: { code_postal: '69007', ville: 'Lyon' } }

const demoPoseurs = [
  { nom: 'Karim Benali', couleur: '#2f7d5b', lieu: { code_postal: '69003', ville: 'Lyon' } },
  { nom: 'Lucie Moreau', couleur: '#b5532a', lieu: { code_postal: '69100', ville: 'Villeurbanne' } },
]

const demoClients = [
  {
    nom: 'Durand',
    prenom: 'Hélène',
    email: 'helene.durand@example.com',
    telephone: '+33 6 00 00 00 01',
    lieu: { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', acces: 'Code 14B, deuxième étage' },
  },
  {
    nom: 'Nguyen',
    prenom: 'Paul',
    email: 'paul.nguyen@example.com',
    adresse: '3 rue des Lilas, 69003 Lyon',
    lieu: { ligne1: '3 rue des Lilas', code_postal: '69003', ville: 'Lyon' },
  },
  {
    nom: 'Petit',
    prenom: 'Aïcha',
    telephone: '+33 6 00 00 00 03',
    whatsapp: true,
    lieu: { ligne1: '8 place Jean-Jaurès', code_postal: '69700', ville: 'Givors' },
  },
  {
    nom: 'Lefebvre',
    prenom: 'Jean-Marc',
    telephone: '+33 6 00 00 00 04',
    lieu: { ligne1: '27 avenue Berthelot', code_postal: '69007', ville: 'Lyon' },
  },
  {
    nom: 'Da Silva',
    prenom: 'Inês',
    email: 'ines.dasilva@example.com',
    lieu: { ligne1: '4 montée des Carmélites', code_postal: '69001', ville: 'Lyon' },
  },
  {
    nom: 'Marchand-Delacroix',
    prenom: 'Bénédicte',
    email: 'b.marchand-delacroix@example.com',
    telephone: '+33 6 00 00 00 06',
    lieu: { ligne1: '115 cours Émile-Zola', code_postal: '69100', ville: 'Villeurbanne' },
  },
  {
    nom: 'Roux',
    prenom: 'Noé',
    telephone: '+33 6 00 00 00 07',
    lieu: { ligne1: '2 chemin du Vallon', code_postal: '69110', ville: 'Sainte-Foy-lès-Lyon' },
  },
]

interface DemoVisit extends Pick<BookRdvInput, 'duree_minutes' | 'type' | 'statut'> {
  readonly day: number
  readonly minutes: number
  readonly poseur: number
  readonly client: number
  readonly ofCase?: number
}

/**
 * The visits of the current week. Days count from Monday, and times are minutes after midnight. Poseurs, clients and
 * cases are indexes of the lists above.
 */
const demoVisits: readonly DemoVisit[] = [
  { day: 1, minutes: 8 * 60, duree_minutes: 90, poseur: 0, client: 0, ofCase: 0, type: 'sav', statut: 'confirme' },
  { day: 1, minutes: 10 * 60, duree_minutes: 120, poseur: 0, client: 2, type: 'metre' },
  { day: 1, minutes: 14 * 60, duree_minutes: 60, poseur: 0, client: 1, type: 'controle' },
  { day: 2, minutes: 9 * 60, duree_minutes: 180, poseur: 1, client: 1, type: 'livraison' },
  { day: 3, minutes: 8 * 60 + 30, duree_minutes: 180, poseur: 1, client: 2, type: 'pose', statut: 'confirme' },
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

const addWebhook = (sav: WholeSav, account: string, url: string, events: EventKind[]) =>
  audited(sav, 'endpoint', sav.writes.endpoints.add(cliActor(account), { url, events, description: 'Demo receiver' }))

/** The stored results; null unless their key and webhook still work in this store. */
async function reusable(seeded: DemoSeed | null, sav: WholeSav): Promise<DemoSeed | null> {
  if (seeded === null || (await sav.keys.authenticate(seeded.key, '127.0.0.1')) === null) return null
  const { account, webhook } = seeded
  if (webhook === null) return seeded
  const endpoints = await sav.webhooks.endpoints.list(account)
  return endpoints.some(({ id, disabled_at }) => id === webhook.id && disabled_at === null) ? seeded : null
}

/** Moves the webhook to `receiver`, which may listen on another port each time; the secret stays the same. */
async function withWebhook(sav: WholeSav, seeded: DemoSeed, receiver: string | undefined): Promise<DemoSeed> {
  const { account, webhook } = seeded
  if (receiver === undefined) return seeded
  if (webhook === null) {
    const { id, url, secret } = await addWebhook(sav, account, receiver, [...eventKinds])
    return { ...seeded, webhook: { id, url, secret } }
  }
  if (webhook.url === new URL(receiver).href) return seeded
  const write = sav.writes.endpoints.update(cliActor(account), webhook.id, { url: receiver })
  const { url } = await audited(sav, 'endpoint', write)
  return { ...seeded, webhook: { ...webhook, url } }
}

/** The directory of the store, or of the secret key if the store is not a file. */
function demoDirectory({ database, secretKeyFile }: Context['settings']): string {
  return dirname(database.kind === 'sqlite' ? database.path : secretKeyFile)
}

async function readSeeded(file: string): Promise<DemoSeed | null> {
  const text = await readFile(file, 'utf8').catch(() => 'null')
  return seededShape.nullable().catch(null).parse(JSON.parse(text))
}

async function keep(file: string, seeded: DemoSeed): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(seeded, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
