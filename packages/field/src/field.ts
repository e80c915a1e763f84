import { type Feature, hourMs, performing } from '@sav/core/feature'
import { terrainPermission } from '@sav/core/names'
import { planningParts, rdvWrites, slotOffers } from '@sav/planning/feature'
import { createFactDigests } from './fact-digests.js'
import { fieldStore } from './field-store.js'
import { sentences } from './refusals.js'
import { purgeField } from './upkeep.js'
import { type Field, fieldQueries, fieldWrites } from './use-cases.js'

/** The use cases of this feature, by their names in the service. */
export interface FieldCases {
  readonly field: Field
}

/** The use cases that write. */
export interface FieldCaseWrites {
  readonly field: ReturnType<typeof fieldWrites>
}

/** The feature, as a type: `Sav<FieldFeature>` has its use cases. */
export type FieldFeature = Feature<FieldCases, FieldCaseWrites>

/** Installers on site: their own visits, and their reports from a phone. */
export const field = (): FieldFeature => ({
  name: 'field',
  sentences,
  buildsOn: ['planning'],
  permissions: terrainPermission,
  stores: [fieldStore],
  compose(parts) {
    const planning = parts.of(planningParts)
    const factDigests = createFactDigests(parts.secretKey, parts.findSecretKey)
    return {
      erasesClient: {
        lock: async () => {},
        erase: (tx, { account_id, client_id }) => tx.of(fieldStore).eraseFacts(account_id, client_id),
      },
      on({ storage, reads, hooks, writes: { cases } }) {
        const deps = { ...parts, ...planning, ...hooks, storage, reads, factDigests }
        const writes = fieldWrites({ ...deps, cases, planning: rdvWrites(deps) })
        return {
          useCases: {
            field: { ...fieldQueries({ ...deps, planning: slotOffers(deps) }), ...performing(storage, writes) },
          },
          writes: { field: writes },
        }
      },
    }
  },
  jobs: (of) => [{ name: 'field', everyMs: hourMs, run: () => purgeField(of) }],
})
