import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import type { Clock } from '../clock.js'
import { found } from '../errors.js'
import type { Paged } from '../paging.js'
import type { Reads } from '../storage.js'
import { toInstant } from '../time.js'
import { parse, text } from '../validation.js'
import type { WritesOf } from '../write.js'
import type { Poseur } from './directory.js'
import { type PageInput, pageInput } from './page.js'

export const addPoseurInput = z.strictObject({ nom: text({ min: 1, max: 120 }), actif: z.boolean().default(true) })
export type AddPoseurInput = z.input<typeof addPoseurInput>

export const updatePoseurInput = z.strictObject({ nom: text({ min: 1, max: 120 }), actif: z.boolean() }).partial()
export type UpdatePoseurInput = z.input<typeof updatePoseurInput>

export interface PoseurView {
  readonly id: number
  readonly nom: string
  readonly actif: boolean
}

/** Installers. One who leaves is made inactive, never deleted: past cases keep the name. */
export interface Poseurs {
  add(actor: Actor, input: AddPoseurInput): Promise<PoseurView>
  /** @throws NotFoundError */
  get(account_id: string, id: number): Promise<PoseurView>
  /** Replaces the fields that are given. @throws NotFoundError */
  update(actor: Actor, id: number, input: UpdatePoseurInput): Promise<PoseurView>
  list(account_id: string, input: PageInput): Promise<Paged<PoseurView> & { page: number; limite: number }>
}

export function poseurQueries({ reads }: { readonly reads: Reads }): Pick<Poseurs, 'get' | 'list'> {
  return {
    async get(account_id, id) {
      return view(found(await reads.directory.findPoseur(account_id, id), 'poseur', id))
    },
    async list(account_id, input) {
      const query = parse(pageInput, input)
      const { items, total } = await reads.directory.listPoseurs(account_id, query)
      return { items: items.map(view), total, ...query }
    },
  }
}

export function poseurWrites({ clock }: { readonly clock: Clock }): WritesOf<Poseurs, 'add' | 'update'> {
  const inactiveSince = (actif: boolean) => (actif ? null : toInstant(clock.now()))
  return {
    add({ account_id }, input) {
      const { nom, actif } = parse(addPoseurInput, input)
      const poseur = { nom, inactif_depuis: inactiveSince(actif) }
      return {
        write: async (tx) => view({ id: await tx.directory.addPoseur(account_id, poseur), ...poseur }),
      }
    },
    update({ account_id }, id, input) {
      const { nom, actif } = parse(updatePoseurInput, input)
      return {
        async write(tx) {
          const before = found(await tx.directory.findPoseur(account_id, id), 'poseur', id)
          const unchanged = actif === undefined || actif === (before.inactif_depuis === null)
          await tx.directory.updatePoseur(account_id, id, {
            nom,
            ...(!unchanged && { inactif_depuis: inactiveSince(actif) }),
          })
          return view(found(await tx.directory.findPoseur(account_id, id), 'poseur', id))
        },
      }
    },
  }
}

const view = ({ id, nom, inactif_depuis }: Poseur): PoseurView => ({ id, nom, actif: inactif_depuis === null })
