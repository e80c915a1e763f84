import type { Actor } from '../access/actor.js'
import type { Reads } from '../storage.js'
import { parse } from '../values/validation.js'
import type { WritesOf } from '../write.js'
import { type View, type ViewsInput, viewsInput } from './view.js'

/** The views of a caller, by id: a person, a key, somebody whom the host knows. */
export interface Views {
  /** In the order in which they were put; empty without any. */
  views(account_id: string, id: string): Promise<View[]>
  /** Replaces all of them. */
  putViews(actor: Actor, id: string, input: ViewsInput): Promise<View[]>
}

export const viewQueries = ({ reads }: { readonly reads: Reads }): Pick<Views, 'views'> => ({
  views: (account_id, id) => reads.users.views(account_id, id),
})

export const viewWrites = (): WritesOf<Views, 'putViews'> => ({
  putViews: ({ account_id }, id, input) => {
    const { vues } = parse(viewsInput, input)
    return {
      async write(tx) {
        await tx.users.putViews(account_id, id, vues)
        return vues
      },
    }
  },
})
