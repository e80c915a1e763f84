import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import { found } from '../errors.js'
import type { Inputs } from '../input-types.gen.js'
import { type Reason, reason } from '../refusals/reason.js'
import type { Reads, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import { followsOrder, listOrder, textInPlace } from '../values/cursor.js'
import { lazily } from '../values/lazily.js'
import { type ListPage, listPage, pageFields, pageOf } from '../values/paging.js'
import { id, parse } from '../values/validation.js'
import { preparedWrite, type WritesOf } from '../write.js'
import {
  type AddPoseurInput,
  addPoseurInput,
  type Poseur,
  type PoseurView,
  type UpdatePoseurInput,
  updatePoseurInput,
} from './directory.js'
import { type Lieu, type LocateLieu, located } from './lieu.js'

/** The order of the list: by name. */
const poseurOrder = listOrder('poseurs', textInPlace, id)

export const listPoseursInput = lazily(() => z.strictObject(pageFields()).check(followsOrder(() => poseurOrder)))
/** What `directory.poseurs.list` takes: a page of at most 200. */
export type ListPoseursInput = Inputs['listPoseurs']

/** Why this poseur cannot be assigned; null if it can. */
export function poseurFault(poseur: Poseur | null, id: number): Reason | null {
  if (poseur === null) return reason('poseur_unknown', { id })
  return poseur.inactif_depuis === null ? null : reason('poseur_inactive', { nom: poseur.nom, id })
}

/** Installers. An installer who leaves is made inactive, never deleted: past cases show the name. */
export interface Poseurs {
  add(actor: Actor, input: AddPoseurInput): Promise<PoseurView>
  /** @throws NotFoundError */
  get(account_id: string, id: number): Promise<PoseurView>
  /**
   * Replaces the given fields.
   * @throws NotFoundError; ConflictError that names the future appointments of a poseur to be made inactive
   */
  update(actor: Actor, id: number, input: UpdatePoseurInput): Promise<PoseurView>
  list(account_id: string, input: ListPoseursInput): Promise<ListPage<PoseurView>>
}

export function poseurQueries({ reads }: { readonly reads: Reads }): Pick<Poseurs, 'get' | 'list'> {
  return {
    async get(account_id, id) {
      return view(found(await reads.directory.findPoseur(account_id, id), 'poseur', id))
    },
    async list(account_id, input) {
      const asked = parse(listPoseursInput, input)
      return listPage(poseurOrder, asked, await reads.directory.listPoseurs(account_id, pageOf(asked)), view)
    },
  }
}

export interface PoseurWritesDeps {
  readonly clock: Clock
  readonly locate: LocateLieu
  /** Called in the transaction that makes a poseur inactive. @throws ConflictError that names what prevents it */
  readonly poseurLeaves: (tx: Transaction, account_id: string, poseur: Poseur, at: string) => Promise<void>
}

export function poseurWrites({ clock, locate, poseurLeaves }: PoseurWritesDeps): WritesOf<Poseurs, 'add' | 'update'> {
  const places = async <L extends Lieu | null | undefined>({
    lieu,
    lieu_retour,
  }: Record<'lieu' | 'lieu_retour', L>) => {
    const [start, end] = await Promise.all([located(lieu, locate), located(lieu_retour, locate)])
    return { lieu: start, lieu_retour: end }
  }
  const inactiveSince = (actif: boolean) => (actif ? null : toInstant(clock.now()))
  return {
    add({ account_id }, input) {
      const { actif, ...rest } = parse(addPoseurInput, input)
      return preparedWrite({
        prepare: () => places(rest),
        async write(tx, places) {
          const poseur = { ...rest, ...places, inactif_depuis: inactiveSince(actif) }
          return view({ id: await tx.directory.addPoseur(account_id, poseur), ...poseur })
        },
      })
    },
    update({ account_id }, id, input) {
      const { actif, ...rest } = parse(updatePoseurInput, input)
      return preparedWrite({
        prepare: () => places({ lieu: rest.lieu, lieu_retour: rest.lieu_retour }),
        async write(tx, places) {
          const before = found(await tx.directory.findPoseur(account_id, id), 'poseur', id)
          const unchanged = actif === undefined || actif === (before.inactif_depuis === null)
          if (!unchanged && !actif) await poseurLeaves(tx, account_id, before, toInstant(clock.now()))
          await tx.directory.updatePoseur(account_id, id, {
            ...rest,
            ...places,
            ...(!unchanged && { inactif_depuis: inactiveSince(actif) }),
          })
          return view(found(await tx.directory.findPoseur(account_id, id), 'poseur', id))
        },
      })
    },
  }
}

const view = ({ inactif_depuis, ...poseur }: Poseur): PoseurView => ({ ...poseur, actif: inactif_depuis === null })
