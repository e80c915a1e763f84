import { type Act, type Context, commandFeature, type FieldCommand, integer, withFeature } from '@sav/command/feature'
import { tagsTables } from './kysely.ts'
import { tagRoutes } from './routes.ts'
import { type TagFeature, tagEvents, tagPermissions, tags } from './tags.ts'

/** The feature's commands, and the feature in the service that the commands open. */
export const tagCommand = commandFeature<TagFeature>({
  name: 'tags',
  permissions: tagPermissions,
  events: Object.keys(tagEvents),
  commands: [{ heading: 'Cases:', add: addTagCommands }],
  load: async () => ({ tables: tagsTables, routes: tagRoutes, feature: () => tags() }),
})

function addTagCommands(program: FieldCommand, act: Act): void {
  const group = program.command('tags').description('short words on cases')
  const onCase = (words: string, description: string) =>
    group.declare(words, description).argument('<case>', 'number of the case', integer)
  onCase('list', 'the tags of a case').action(act(async () => listed))
  onCase('add', 'tag a case')
    .argument('<tag>', 'such as `garantie`')
    .action(act(async () => added))
}

const output = (nom: readonly string[]) => ({ json: nom, text: nom.join('\n') })

async function listed(context: Context, id: number) {
  const { sav, account_id } = await context.openAccount()
  return output(await withFeature<TagFeature>(sav).tags.list(account_id, id))
}

async function added(context: Context, id: number, nom: string) {
  const { sav, actor, perform } = await context.openAccount()
  return output(await perform(withFeature<TagFeature>(sav).writes.tags.add(actor, id, { nom }), `case:${id}`))
}
