import { type Feature, performing } from '@sav/core/feature'
import { type Exports, exportQueries } from './exporting.js'
import { importStore } from './import-store.js'
import { type Imports, importTrials, importWrites } from './importing.js'
import { sentences } from './refusals.js'

/** The use cases of this feature, by their names in the service. */
export interface MovingCases {
  readonly imports: Imports
  readonly exports: Exports
}

/** The use cases that write. */
export interface MovingWrites {
  readonly imports: ReturnType<typeof importWrites>
}

/** The feature, as a type: `Sav<Moving>` has its use cases. */
export type Moving = Feature<MovingCases, MovingWrites>

/** Import from other systems, and export. */
export const moving = (): Moving => ({
  name: 'moving',
  buildsOn: ['planning'],
  sentences,
  stores: [importStore],
  compose: (parts) => ({
    erasesClient: {
      lock: async () => {},
      erase: (tx, { account_id, client_id }) => tx.of(importStore).forgetClient(account_id, client_id),
    },
    on({ storage, reads }) {
      const deps = { ...parts, storage, reads }
      const imports = importWrites(deps)
      return {
        useCases: {
          imports: { ...performing(storage, imports), ...importTrials(deps) },
          exports: exportQueries(deps),
        },
        writes: { imports },
      }
    },
  }),
})
