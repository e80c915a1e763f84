import { commandFeature, configured, type Settings } from '@sav/command/feature'
import type { RdvLetterKind } from '@sav/core/feature'
import type { RdvLetterChannels } from './appointments/customer-letters.js'
import { rdvKinds } from './appointments/rdv-kinds.js'
import { planningCommands } from './commands/syntax.js'
import { locatingOf, travellingOf } from './commands/travelling.js'
import type { PlanningFeature } from './planning.js'
import { planningPermissions } from './routes/permissions.js'

/** The feature for `createCommand`: its commands, and its service as the settings configure it. */
export const planningCommand = commandFeature<PlanningFeature>({
  name: 'planning',
  permissions: planningPermissions,
  events: rdvKinds,
  commands: [planningCommands],
  async load() {
    const [{ planning }, { planningTables }, { planningApi }, { sentences }] = await Promise.all([
      import('./planning.js'),
      import('./kysely.js'),
      import('./routes.js'),
      import('./refusals.js'),
    ])
    return {
      sentences,
      tables: planningTables,
      routes: planningApi,
      deps: locatingOf,
      feature: (settings) =>
        planning({
          ...travellingOf(settings),
          letters: lettersOf(settings),
          letterDelayMs: settings.rdvLetterDelayMs,
          ical: async (invitation) => (await import('./ical.js')).rdvIcalOf(invitation),
        }),
    }
  },
})

/** The channels of each kind of letter: WhatsApp if there is a template for it. */
function lettersOf(settings: Pick<Settings, 'mail' | 'whatsapp'>): RdvLetterChannels {
  const of = (about: RdvLetterKind) => configured(settings, settings.whatsapp?.rdvTemplates[about] !== undefined)
  return { confirmation: of('confirmation'), annulation: of('annulation'), rappel: of('rappel'), retard: of('retard') }
}
