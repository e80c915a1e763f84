import { type Asked, type Context, commandFeature, oneLine } from '@sav/command/feature'
import { terrainPermission } from '@sav/core/names'
import { signingInOf } from './commands/signing-in.js'
import { userCommands } from './commands/syntax.js'
import type { PeopleFeature } from './people.js'

/** The feature for `createCommand`: its commands, and its service as the settings define it. */
export const peopleCommand = commandFeature<PeopleFeature>({
  name: 'people',
  permissions: terrainPermission,
  commands: [userCommands],
  async load() {
    const [{ people }, { peopleTables }, { peopleApi }, { sentences }] = await Promise.all([
      import('./people.js'),
      import('./kysely.js'),
      import('./routes.js'),
      import('./refusals.js'),
    ])
    return {
      sentences,
      tables: peopleTables,
      routes: peopleApi,
      feature: (settings) => people(signingInOf(settings)),
    }
  },
  firstQuestion: firstPerson,
})

async function firstPerson(context: Context, asked: Asked): Promise<string | null> {
  const nom = await context.askFor?.('Name of the first person to sign in to the console:')
  if (!nom) return null
  return asked(`E-mail of ${oneLine(nom)}:`, async (email) => {
    const body = { nom, email, role: 'administration' } as const
    const { data } = await (await context.api()).post('/api/v1/utilisateurs', { body })
    const { inviteUser } = await import('./commands/users.js')
    return (await inviteUser(context, data.id, {})).text
  })
}
