import { as, composed } from '#composed'
import { runPart } from '#processes'
import type { Shop } from '#shop'
import type { ShopEnv } from '#shop-env'
import { execute, wordsOf } from '#sql'

const clientCount = 500
const poseurCount = 100
const days = 1000

export interface ManyCases {
  readonly clients: readonly number[]
  readonly poseurs: readonly number[]
}

/**
 * Fills the account `default` of a shop, which has one case, and another account with `count` cases each, by copying
 * that case: over 1,000 days, for 500 clients, with 100 installers, in every state.
 */
export function fillManyCases(env: ShopEnv, count: number, other: Shop): Promise<ManyCases> {
  return runPart(import.meta.url, copyCase, { env, count, other })
}

export async function copyCase({
  env,
  count,
  other,
}: {
  env: ShopEnv
  count: number
  other: Shop
}): Promise<ManyCases> {
  const { sav, storage } = await composed(env)
  const poseurs: number[] = []
  for (let n = 0; n < poseurCount; n += 1)
    poseurs.push((await sav.directory.poseurs.add(as('default'), { nom: `Poseur ${n}` })).id)
  await storage.close()

  const { numbers, instant, columnsOf } = wordsOf(env, count)
  const clients = (await execute(env, [`select id from clients where account_id = 'default' order by id`])).map((row) =>
    Number(row['id']),
  )
  const columns = (await execute(env, [columnsOf('cases')])).map(({ name }) => String(name))
  const start = Math.floor(Date.now() / 1000) - days * 86_400
  const created = instant(`${start} + i * ${(days * 86_400) / count}`)
  const oneOf = (values: readonly string[]) =>
    `case i % ${values.length} ${values.map((value, n) => `when ${n} then ${value}`).join(' ')} end`
  const own = (account: { id: string; client: string; poseur: string }): Record<string, string> => ({
    account_id: `'${account.id}'`,
    annee: '2020',
    numero: 'i',
    client_id: account.client,
    poseur_id: account.poseur,
    statut: oneOf(["'ouvert'", "'en_cours'", "'clos'"]),
    date_cloture: `case i % 3 when 2 then ${created} end`,
    resolution: `case i % 3 when 2 then 'Charnières réglées.' end`,
    priorite: oneOf(["'basse'", "'normale'", "'haute'", "'urgente'"]),
    description: `template.description || ' ' || i`,
    recherche: `template.recherche || ' corniche ' || i`,
    date_creation: created,
    date_modification: created,
  })
  const insert = (values: Record<string, string>) => {
    const filled = columns.filter((column) => column !== 'id')
    return `with recursive ${numbers}, template as (
        select * from cases where account_id = 'default' order by id limit 1
      )
      insert into cases (${filled.join(', ')})
      select ${filled.map((column) => values[column] ?? `template.${column}`).join(', ')} from n, template`
  }
  await execute(env, [
    insert(
      own({
        id: 'default',
        client: `${clients[0]} + i / 7 % ${clientCount}`,
        poseur: `${poseurs[0]} + i % ${poseurCount}`,
      }),
    ),
    insert(own({ id: 'other', client: String(other.clients[0]), poseur: 'null' })),
    'delete from case_tallies',
    `insert into case_tallies (account_id, jour, statut, nombre)
      select account_id, substr(date_creation, 1, 10), statut, count(*) from cases group by 1, 2, 3`,
  ])
  return { clients, poseurs }
}
