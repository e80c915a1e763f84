import * as z from 'zod'
import { type Input, lazily } from '../values/lazily.js'
import { named, type Shape } from '../values/shape.js'
import { line } from '../values/validation.js'

/** At most 50 views, each with a name of 1 to 100 characters and an address in the console, from `/` on. */
export const viewsInput = lazily(() =>
  z.strictObject({
    vues: z
      .array(
        z.strictObject({
          nom: line({ min: 1, max: 100 }),
          adresse: line({ min: 1, max: 2000 }).describe('Where it leads in the console: `/dossiers?statut=ouvert`.'),
        }),
      )
      .max(50),
  }),
)
/** What `users.putViews` takes. */
export type ViewsInput = Input<typeof viewsInput>

export const viewShape = named('View', () => z.object({ nom: z.string(), adresse: z.string() }), {
  nom: 'Urgents sans poseur',
  adresse: '/dossiers?priorite=urgente&poseur_id=aucun',
})
/** A saved filter of a person, available wherever they are signed in. */
export type View = Shape<typeof viewShape>
