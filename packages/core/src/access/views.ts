import * as z from 'zod'
import type { Inputs } from '../input-types.gen.js'
import { lazily } from '../values/lazily.js'
import { named, type Shape } from '../values/shape.js'
import { line, parse } from '../values/validation.js'
import type { Actor } from './actor.js'

/** At most 50 views, each with a name of 1 to 100 characters and an address in the console. */
export const viewsInput = lazily(() =>
  z.strictObject({
    vues: z
      .array(
        z.strictObject({
          nom: line({ min: 1, max: 100 }),
          adresse: line({ min: 1, max: 2000 }).describe(
            'The address of the view in the console: `/dossiers?statut=ouvert`.',
          ),
        }),
      )
      .max(50),
  }),
)
/** What `views.put` takes. */
export type ViewsInput = Inputs['views']

export const viewShape = named('View', () => z.object({ nom: z.string(), adresse: z.string() }), {
  nom: 'Urgents sans poseur',
  adresse: '/dossiers?priorite=urgente&poseur_id=aucun',
})
/** A user's saved filter, available on every device. */
export type View = Shape<typeof viewShape>

/** Saved views. Each belongs to the id of a user, of a key, or of a user of the host. */
export interface Views {
  /** The views of this id in the order in which they were saved; empty if there are none. */
  list(account_id: string, id: string): Promise<View[]>
  /** Replaces all views of this id. */
  put(actor: Actor, id: string, input: ViewsInput): Promise<View[]>
}

/** The stored views. */
export interface ViewReads {
  /** The views last saved for this id; empty if there are none. */
  list(account_id: string, id: string): Promise<View[]>
}

export interface ViewWrites extends ViewReads {
  /** Replaces all views of this id. */
  put(account_id: string, id: string, views: readonly View[]): Promise<void>
}

export const viewQueries = ({ reads }: { readonly reads: { readonly views: ViewReads } }): Pick<Views, 'list'> => ({
  list: (account_id, id) => reads.views.list(account_id, id),
})

export const viewWrites = () => ({
  put({ account_id }: Actor, id: string, input: ViewsInput) {
    const { vues } = parse(viewsInput, input)
    return {
      async write({ views }: { readonly views: ViewWrites }): Promise<View[]> {
        await views.put(account_id, id, vues)
        return vues
      },
    }
  },
})
