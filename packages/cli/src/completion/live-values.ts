import type { Context } from '../invocation/context.js'
import { readProfiles } from '../settings/profiles.js'
import { oneLine } from '../terminal/terminal.js'
import type { Candidate, LiveKind } from './candidates.js'

/** As many as somebody would look through. */
const limite = 50

/** What the store or the service has of a kind, the latest first where it has an order. */
export async function liveValues(context: Context, kind: LiveKind): Promise<Candidate[]> {
  const found = await valuesOf(context, kind)
  return found.map(([value, means]) => ({ value: String(value), means: oneLine(means) }))
}

async function valuesOf(
  context: Context,
  kind: LiveKind,
): Promise<(readonly [value: string | number, means: string])[]> {
  switch (kind) {
    case 'profiles':
      return Object.entries(readProfiles(context)).map(([name, { url }]) => [name, url])
    case 'accounts':
      return (await (await context.open()).sav.accounts.list()).map(({ id, raison_sociale }) => [
        id,
        raison_sociale ?? '',
      ])
    case 'cases':
      return (await (await context.api()).get('/api/v1/sav', { query: { limite } })).data.map(
        ({ id, reference, description }) => [id, `${reference} ${description.slice(0, 60)}`],
      )
    case 'clients':
      return (await (await context.api()).get('/api/v1/clients', { query: { limite } })).data.map(
        ({ id, nom, prenom }) => [id, `${prenom} ${nom}`],
      )
    case 'poseurs':
      return (await (await context.api()).get('/api/v1/poseurs', { query: { limite } })).data.map(({ id, nom }) => [
        id,
        nom,
      ])
    case 'keys':
      return (await (await context.api()).get('/api/v1/cles')).data.map(({ id, nom }) => [id, nom])
    case 'endpoints':
      return (await (await context.api()).get('/api/v1/webhooks')).data.map(({ id, url }) => [id, url])
    case 'deliveries':
      return (await (await context.api()).get('/api/v1/webhooks/livraisons', { query: { limite } })).data.map(
        ({ id, event, state }) => [id, `${event} ${state}`],
      )
  }
}
