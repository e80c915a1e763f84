import { reachableAccess } from '../access/reachable-access.js'
import { reachableCases } from '../cases/reachable-cases.js'
import { reachableDirectory } from '../directory/reachable-directory.js'
import type { Context } from '../invocation/context.js'
import { readProfiles } from '../settings/profiles.js'
import { oneLine } from '../terminal/terminal.js'
import { reachableWebhooks } from '../webhooks/reachable-webhooks.js'
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
    case 'cases': {
      const { items } = await (await reachableCases(context)).list({ limite })
      return items.map(({ id, reference, description }) => [id, `${reference} ${description.slice(0, 60)}`])
    }
    case 'clients': {
      const { items } = await (await reachableDirectory(context)).clients.list({ limite })
      return items.map(({ id, nom, prenom }) => [id, `${prenom} ${nom}`])
    }
    case 'poseurs': {
      const { items } = await (await reachableDirectory(context)).poseurs.list({ limite })
      return items.map(({ id, nom }) => [id, nom])
    }
    case 'keys':
      return (await (await reachableAccess(context)).list()).map(({ id, nom }) => [id, nom])
    case 'endpoints':
      return (await (await reachableWebhooks(context)).endpoints.list()).map(({ id, url }) => [id, url])
    case 'deliveries': {
      const { items } = await (await reachableWebhooks(context)).deliveries.list({ limite })
      return items.map(({ id, event, state }) => [id, `${event} ${state}`])
    }
  }
}
