import { createHash } from 'node:crypto'
import { SavError, ValidationError } from '../src/errors.js'
import { openSav } from './open-sav.js'

export const day = 86_400_000
export const description = 'La porte du meuble bas ne ferme plus.'
export const resolution = 'Charnière remplacée et porte réglée.'
export const motif = 'La porte ferme mal à nouveau.'
export const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex')
export const otherJpeg = Buffer.from('ffd8ffe000104a46494600010200', 'hex')
export const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
export const dataUri = (content: Uint8Array) => `data:image/jpeg;base64,${Buffer.from(content).toString('base64')}`

/** A service with one open case. */
export async function withCase(fields: { readonly photos?: string[] } = {}) {
  const opened = await openSav()
  const created = await opened.sav.cases.create(opened.actor, { client_id: opened.client.id, description, ...fields })
  return { ...opened, ...created }
}

export async function withClosedCase() {
  const opened = await withCase()
  const closed = await opened.sav.cases.close(opened.actor, opened.id, { resolution })
  return { ...opened, closed }
}

export async function refusal(promise: Promise<unknown>): Promise<SavError> {
  const error = await promise.then(
    () => 'nothing was refused',
    (reason: unknown) => reason,
  )
  if (error instanceof SavError) return error
  throw error
}

/** The fields that a refusal names. */
export async function badFields(promise: Promise<unknown>): Promise<string[]> {
  const error = await refusal(promise)
  if (error instanceof ValidationError) return error.details.map(({ field }) => field).toSorted()
  throw error
}
