import type { types } from 'pg'
import { asSelected } from '../rows.js'
import { driver } from './driver.js'

/** Counts and ids fit a number: they stay below 2^53. */
export const numberParsers: { readonly getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (type, format) =>
    type === driver.types.builtins.INT8 ? Number : driver.types.getTypeParser(type, format),
}

/**
 * Every column of ours that is a bigint, and what statements call the numbers that they count: a connection of somebody
 * else's gives them as text, as pg does by default, or as BigInt.
 */
export const wholeNumbers: ReadonlySet<string> = new Set([
  'annee',
  'attempt_count',
  'calls',
  'case_id',
  'cible',
  'client_id',
  'compteur',
  'count',
  'debut_ms',
  'dernier',
  'duration_ms',
  'failed',
  'fin_ms',
  'full_at',
  'historique_numero',
  'id',
  'intervention_id',
  'is_locked',
  'last_status',
  'matched',
  'n',
  'nombre',
  'numero',
  'ordre',
  'pending',
  'poseur_id',
  'rdv_id',
  'retard_minutes',
  'retried',
  'run_attempt_count',
  'sav_id',
  'sequence',
  'status',
  'total',
  'tournee_ordre',
  'trajet_avant_minutes',
  'version',
])

const whole = /^-?\d{1,16}$/

/** The same rows, with their numbers as numbers. Ids that are texts begin with letters. */
export function withNumbers(rows: readonly unknown[]): void {
  for (const row of asSelected<Record<string, unknown>>([...rows]))
    for (const name in row) {
      const value = row[name]
      if (wholeNumbers.has(name) && (typeof value === 'bigint' || (typeof value === 'string' && whole.test(value))))
        row[name] = Number(value)
    }
}
