import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it, type Shop } from './browser.js'
import { busyDay, screens } from './screens.js'

const hasBrowser = needs('chromium', 'that typed text is never run, and does not reverse the text beside it')

const tuesday = (hour: string) => `${busyDay}T${hour}:00:00.000Z`

/** RIGHT-TO-LEFT OVERRIDE, without the character that ends it. */
const turned = '\u202e'
const markup = `<img src=x onerror=alert(1)><script>alert(2)</script>"'\`{{7*7}}`

/** The part of JSON Schema that this test uses. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Contract {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>>
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Fields with a fixed format, which accept no free text. */
const formed = new Set(
  'email repondre_a telephone url url_publique logo photos photo_avant photo_apres signature_client jeton version ips'.split(
    ' ',
  ),
)

/** The required fields of list items, except texts. */
const besides: Readonly<Record<string, object>> = {
  absences: { debut: tuesday('12'), fin: tuesday('16') },
  pieces: { quantite: 1 },
  vues: { adresse: '/dossiers' },
}

/** A body with hostile text in every free text field, and the number of these fields. */
function hostile(schema: Schema, { components }: Contract): { readonly body: unknown; readonly count: number } {
  let count = 0
  const fill = (given: Schema, name: string): unknown => {
    const schema = given.$ref ? (components.schemas[given.$ref.replace(/^.*\//, '')] ?? {}) : given
    const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    const parts = choices.map((each) => fill(each, name)).filter((each) => each !== undefined)
    if (parts.length > 0) return parts[0]
    if (schema.properties) {
      const filled = Object.entries(schema.properties).flatMap(([key, property]) => {
        const value = fill(property, key)
        return value === undefined ? [] : [[key, value] as const]
      })
      return filled.length === 0 ? undefined : Object.fromEntries(filled)
    }
    if (schema.items) {
      const item = fill(schema.items, name)
      return item === undefined ? undefined : [typeof item === 'object' ? { ...item, ...besides[name] } : item]
    }
    const isFree = schema.type === 'string' && !schema.enum && schema.const === undefined
    if (!isFree || schema.pattern || schema.format || formed.has(name)) return undefined
    count += 1
    return `${turned}${markup}`.slice(0, schema.maxLength)
  }
  return { body: fill(schema, ''), count }
}

/** Left out where the visit has not taken place: these fields would be refused. */
const ended = { compte_rendu: undefined, pieces: undefined }

/** Left out where a close ends no visit: this field would be refused. */
const withoutVisit = { pieces: undefined }

const onSite = { survenu_a: tuesday('14') }

/** The writes, in order, with their required fields except texts. */
const writes: readonly (readonly [operation: string, fields?: object, params?: Record<string, string | number>])[] = [
  ['PUT /api/v1/compte', { email: 'atelier@petit.example' }],
  ['POST /api/v1/clients', { email: 'zoe@petit.example' }],
  ['PUT /api/v1/clients/{id}', {}, { id: 1 }],
  ['POST /api/v1/poseurs', { couleur: '#b5532a' }],
  ['PUT /api/v1/poseurs/{id}', {}, { id: 1 }],
  ['POST /api/v1/utilisateurs', { email: 'paul@petit.example', role: 'lecture' }],
  ['PUT /api/v1/utilisateurs/{user}', {}],
  ['POST /api/v1/cles', { permissions: ['sav:read'] }],
  [
    'POST /api/v1/webhooks',
    { url: 'https://receiver.invalid/hook?%3Cscript%3E', events: ['sav.created'], headers: { 'X-Shop': markup } },
  ],
  ['PUT /api/v1/webhooks/{endpoint}', {}],
  ['POST /api/v1/sav', { client_id: 2, priorite: 'urgente' }],
  ['POST /api/v1/sav', { client_id: 1 }],
  ['PUT /api/v1/sav/{id}', { poseur_id: 2 }, { id: 1 }],
  ['PUT /api/v1/sav/{id}', {}, { id: 2 }],
  ['POST /api/v1/sav/{id}/commentaires', {}, { id: 2 }],
  ['POST /api/v1/sav/{id}/cloturer', withoutVisit, { id: 2 }],
  ['POST /api/v1/sav/{id}/rouvrir', {}, { id: 2 }],
  ['POST /api/v1/sav/{id}/cloturer', withoutVisit, { id: 1 }],
  ['PUT /api/v1/planning/poseurs/{id}/absences', {}, { id: 2 }],
  ['POST /api/v1/planning/rdv', { client_id: 2, poseur_id: 2, debut: tuesday('06'), duree_minutes: 60 }],
  ['POST /api/v1/planning/rdv', { client_id: 1, poseur_id: 1, debut: tuesday('08'), duree_minutes: 60 }],
  ['PATCH /api/v1/planning/{id}', { ...ended, motif_annulation: undefined }, { id: 1 }],
  ['PATCH /api/v1/planning/{id}', { statut: 'realise', resultat: 'resolu', motif_annulation: undefined }, { id: 1 }],
  ['PATCH /api/v1/planning/{id}', { ...ended, statut: 'annule' }, { id: 2 }],
  ['POST /api/v1/planning/rdv', { sav_id: 2, poseur_id: 1, debut: tuesday('14'), duree_minutes: 60 }],
  [
    'POST /api/v1/planning/{id}/intervention',
    { ...onSite, resultat: 'partiel', photos: undefined, prochain: undefined, cloture: undefined },
    { id: 3 },
  ],
  ['POST /api/v1/planning/rdv', { sav_id: 2, poseur_id: 1, debut: tuesday('16'), duree_minutes: 60 }],
  ['POST /api/v1/planning/{id}/absent', onSite, { id: 4 }],
  ['PUT /api/v1/session/vues'],
]

/** A write that only a signed-in user may do, not a key. */
const ofSession = 'PUT /api/v1/terrain/appareil'

/** Writes whose texts must be names of existing things. */
const naming = new Set(['POST /api/v1/webhooks/livraisons/rejouer'])

/** A script for the page. It finds reversed texts, and texts that a hostile text before them reverses. */
const turnedAround = String.raw`(() => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const boxOf = (node, at) => {
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    return range.getBoundingClientRect()
  }
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue
    const rest = text.includes('\u202e') ? (/.*7\*7\}\}(.*)$/su.exec(text)?.[1] ?? '') : text
    const word = /\p{L}\p{L}/u.exec(rest)
    if (word === null) continue
    const at = text.length - rest.length + word.index
    const [a, b] = [boxOf(node, at), boxOf(node, at + 1)]
    if (a.width > 0 && a.top === b.top && b.left < a.left) found.push(text.slice(0, 200))
  }
  return found
})()`

/** A script for the page. It counts the elements that hostile markup created. */
const alive = `document.querySelectorAll('img[src="x"], [onerror], body script:not([src]), [href^="javascript:"]').length`

async function fillEverything({ api, page, origin }: Shop): Promise<void> {
  const contract: Contract = (await api('GET', '/openapi.json')).body
  await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
  const unused = new Set(
    Object.entries(contract.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) => {
        const schema = requestBody?.content['application/json']?.schema
        const name = `${method.toUpperCase()} ${path}`
        // Each planning operation has two addresses, of which only the one below /api/ is counted.
        const isOwn = path.startsWith('/api/') && !naming.has(name)
        return schema && isOwn && hostile(schema, contract).count > 0 ? [name] : []
      }),
    ),
  )
  const last: Record<string, string> = {}
  for (const [operation, fields = {}, params = {}] of writes) {
    const [method = '', path = ''] = operation.split(' ')
    const schema = contract.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema ?? {}
    const { body } = hostile(schema, contract)
    const target = path.replace(/\{(\w+)\}/g, (_, name) => String(params[name] ?? last[name]))
    const answer = await api(method, target, { ...Object(body), ...fields })
    expect([operation, answer.status, answer.body.details]).toEqual([
      operation,
      expect.toSatisfy((s) => s < 300),
      undefined,
    ])
    if (path.endsWith('utilisateurs')) last['user'] = answer.body.data.id
    if (path.endsWith('webhooks')) last['endpoint'] = answer.body.data.id
    unused.delete(operation)
  }
  expect([...unused]).toEqual([ofSession])
  const named = await page.context().request.put(`${origin}/api/v1/terrain/appareil`, {
    headers: {
      ...{ 'X-Sav-Console': '1', Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
      'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)),
    },
    data: { nom: `${turned}${markup}`.slice(0, 60), en_attente: 0 },
  })
  expect(named.status()).toBe(200)
}

describe.runIf(hasBrowser)('typed text', { timeout: 600_000 }, () => {
  it('stays text on every screen: it runs no script, loads nothing, and does not reverse the text beside it', async ({
    openShop,
  }) => {
    const shop = await openShop()
    const { page, open, api, complaints } = shop
    page.on('dialog', (dialog) => {
      complaints.push('a dialog opened')
      void dialog.dismiss()
    })
    await fillEverything(shop)
    const [endpoint] = (await api('GET', '/api/v1/webhooks')).body.data
    const [delivery] = (await api('GET', '/api/v1/webhooks/livraisons')).body.data
    const more = [`/reglages/api/webhooks/${endpoint.id}`, `/reglages/api/webhooks/historique/${delivery.id}`]
    const found: string[] = []
    let shown = 0
    for (const screen of [...screens, ...more]) {
      await open(screen)
      await expect.poll(() => page.locator('.loading').count()).toBe(0)
      if ((await page.content()).includes(turned)) shown += 1
      if (Number(await page.evaluate(alive)) > 0) found.push(`${screen}: markup is alive`)
      const texts: unknown = await page.evaluate(turnedAround)
      if (!Array.isArray(texts)) throw new Error('the page said nothing')
      found.push(...texts.map((text) => `${screen}: ${text}`))
    }
    expect(found).toEqual([])
    expect(complaints).toEqual([])
    expect(shown).toBeGreaterThan(15)
  })
})
