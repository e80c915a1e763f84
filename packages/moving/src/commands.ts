import { commandFeature } from '@sav/command/feature'
import { movingCommands } from './commands/syntax.js'
import type { Moving } from './moving.js'

/** The feature for `createCommand`, with its commands. It is the same with any settings. */
export const movingCommand = commandFeature<Moving>({
  name: 'moving',
  commands: [movingCommands],
  async load() {
    const [{ moving }, { movingTables }, { sentences }] = await Promise.all([
      import('./moving.js'),
      import('./kysely.js'),
      import('./refusals.js'),
    ])
    return { sentences, tables: movingTables, feature: () => moving() }
  },
})
