import { as, composed } from '#composed'
import { runPart } from '#processes'
import { isPostgres, type ShopEnv } from '#shop-env'
import { execute, wordsOf } from '#sql'

export const installers = 50
export const perDay = 8
const firstHour = 6
const clientCount = 200
const minute = 60
const dayLength = 86_400

/** Postal codes around Lyon, where a bench's installers and clients live. */
const towns = ['69003', '69100', '69200', '69300', '69500', '69400', '38200', '42000', '01000', '71000']

export interface ManyRdv {
  readonly clients: readonly number[]
  readonly poseurs: readonly number[]
}

/** The installer and the beginning of the free half-hour after the n-th appointment. */
export function freeTime({ poseurs }: ManyRdv, from: number, n: number): { poseur_id: number; debut: string } {
  const turn = Math.floor(n / installers)
  const hour = turn % perDay
  const day = Math.floor(from / dayLength) + Math.floor(turn / perDay)
  const seconds = day * dayLength + (firstHour + hour + (hour < 4 ? 0 : 1)) * 3600 + 30 * minute
  return { poseur_id: poseurs[n % installers] ?? 0, debut: new Date(seconds * 1000).toISOString() }
}

/**
 * Fills the account `default` of a shop with 50 installers and `count` appointments from the day of `from` on. Each
 * installer has eight a day, of 30 minutes, on the hour, so that the second half of each hour is free.
 */
export function fillManyRdv(env: ShopEnv, filling: { count: number; from: number }): Promise<ManyRdv> {
  return runPart(import.meta.url, fillRdv, { env, ...filling })
}

/**
 * An SQL expression for the beginning of the n-th appointment, in Unix seconds. Appointments that begin in the same
 * hour have consecutive numbers.
 */
const startOf = (from: number, n: string) => {
  const turn = `((${n}) / ${installers})`
  const hour = `(${turn} % ${perDay})`
  // Installers do not work at noon: appointments are from 6 to 9 and 11 to 14 o'clock, UTC.
  return `${from} + ${turn} / ${perDay} * ${dayLength} + (${firstHour} + ${hour} + case when ${hour} < 4 then 0 else 1 end) * 3600`
}

export async function fillRdv({ env, count, from }: { env: ShopEnv; count: number; from: number }): Promise<ManyRdv> {
  const { sav, storage } = await composed(env)
  const actor = as('default')
  const lieuOf = (n: number) => ({ code_postal: towns[n % towns.length] ?? null })
  const clients: number[] = []
  for (let n = 0; n < clientCount; n += 1)
    clients.push((await sav.directory.clients.add(actor, { nom: `Martin ${n}`, prenom: 'Léa', lieu: lieuOf(n) })).id)
  const poseurs: number[] = []
  for (let n = 0; n < installers; n += 1)
    poseurs.push((await sav.directory.poseurs.add(actor, { nom: `Poseur ${n}`, lieu: lieuOf(n * 3) })).id)
  await storage.close()

  const { numbers, instant } = wordsOf(env, count)
  const debut = startOf(Math.floor(from / dayLength) * dayLength, 'i - 1')
  const fin = `${debut} + ${30 * minute}`
  const poseur = `${poseurs[0]} + (i - 1) % ${installers}`
  const now = instant(String(Math.floor(Date.now() / 1000)))
  await execute(env, [
    `with recursive ${numbers} insert into rdv
      (account_id, id, type, statut, client_id, poseur_id, debut, fin, fuseau, date_creation, date_modification, version)
      select 'default', i, 'autre', 'planifie', ${clients[0]} + i / 7 % ${clientCount}, ${poseur},
        ${instant(debut)}, ${instant(fin)}, 'Europe/Paris', ${now}, ${now}, 1
      from n`,
    `with recursive ${numbers} insert into rdv_personnes
      (account_id, rdv_id, poseur_id, ordre, debut, debut_ms, fin_ms)
      select 'default', i, ${poseur}, 0, ${instant(debut)}, (${debut}) * 1000, (${fin}) * 1000 from n`,
    ...(isPostgres(env) ? [`select setval(pg_get_serial_sequence('rdv', 'id'), ${count})`] : []),
  ])
  return { clients, poseurs }
}
