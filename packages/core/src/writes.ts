import { keyWrites } from './access/api-keys.js'
import type { PermissionDeclarations } from './access/permissions.js'
import { viewWrites } from './access/views.js'
import { additionWrites } from './cases/additions.js'
import { caseWrites } from './cases/case-writes.js'
import { erasureWrites } from './cases/erasure.js'
import { reportResending } from './cases/report-resending.js'
import { deliveryWrites } from './delivery/deliveries.js'
import { replayWrites } from './delivery/replays.js'
import { accountWrites } from './directory/accounts.js'
import { clientWrites } from './directory/clients.js'
import { poseurWrites } from './directory/poseurs.js'
import type { Hooks } from './hooks.js'
import type { CoreParts } from './parts.js'
import type { Storage } from './storage.js'
import { endpointWrites } from './webhooks/endpoint-writes.js'

/** The parts of a composed service. */
export type Parts = CoreParts &
  Hooks & {
    readonly kinds: readonly string[]
    readonly permissions: PermissionDeclarations
    readonly refuseUncomposed: () => Promise<void>
  }

/** The core's writes on one storage, as values for `perform`. */
export function writesOf(storage: Storage, parts: Parts) {
  const deps = { ...parts, storage, reads: storage.reads }
  const cases = { ...caseWrites(deps), ...additionWrites(deps), ...reportResending(deps) }
  return {
    accounts: accountWrites(deps),
    keys: keyWrites(deps),
    views: viewWrites(),
    clients: { ...clientWrites(deps), ...erasureWrites(deps) },
    poseurs: poseurWrites(deps),
    cases,
    endpoints: endpointWrites(deps),
    deliveries: deliveryWrites(deps),
    replays: replayWrites(deps),
  }
}

/** What `writesOf` gives. */
export type CoreWrites = ReturnType<typeof writesOf>
