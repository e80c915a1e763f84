import * as z from 'zod'
import { NotFoundError } from '../errors.js'
import type { Clock, Paged, Storage } from '../ports.js'
import { toInstant } from '../time.js'
import { parse, text } from '../validation.js'
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
  add(account_id: string, input: AddPoseurInput): Promise<PoseurView>
  /** @throws NotFoundError */
  get(account_id: string, id: number): Promise<PoseurView>
  /** Replaces the fields that are given. @throws NotFoundError */
  update(account_id: string, id: number, input: UpdatePoseurInput): Promise<PoseurView>
  list(account_id: string, input: PageInput): Promise<Paged<PoseurView> & { page: number; limite: number }>
}

export function createPoseurs({ storage, clock }: { storage: Storage; clock: Clock }): Poseurs {
  const inactiveSince = (actif: boolean) => (actif ? null : toInstant(clock.now()))
  return {
    async add(account_id, input) {
      const { nom, actif } = parse(addPoseurInput, input)
      const poseur = { nom, inactif_depuis: inactiveSince(actif) }
      return storage.transaction(async (tx) =>
        view({ id: await tx.directory.addPoseur(account_id, poseur), ...poseur }),
      )
    },
    async get(account_id, id) {
      return view(found(await storage.directory.findPoseur(account_id, id), id))
    },
    async update(account_id, id, input) {
      const { nom, actif } = parse(updatePoseurInput, input)
      return storage.transaction(async (tx) => {
        const before = found(await tx.directory.findPoseur(account_id, id), id)
        const unchanged = actif === undefined || actif === (before.inactif_depuis === null)
        await tx.directory.updatePoseur(account_id, id, {
          nom,
          ...(!unchanged && { inactif_depuis: inactiveSince(actif) }),
        })
        return view(found(await tx.directory.findPoseur(account_id, id), id))
      })
    },
    async list(account_id, input) {
      const query = parse(pageInput, input)
      const { items, total } = await storage.directory.listPoseurs(account_id, query)
      return { items: items.map(view), total, ...query }
    },
  }
}

function found(poseur: Poseur | null, id: number): Poseur {
  if (poseur === null) throw new NotFoundError('poseur', id)
  return poseur
}

const view = ({ id, nom, inactif_depuis }: Poseur): PoseurView => ({ id, nom, actif: inactif_depuis === null })
