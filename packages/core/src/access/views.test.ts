import { expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { ValidationError } from '../errors.js'

const view = (n: number, adresse = '/dossiers?statut=ouvert') => ({ nom: `Vue ${n}`, adresse })
const views = (count: number) => Array.from({ length: count }, (_, n) => view(n))

it('up to 50 views are stored for each owner', async () => {
  const { sav } = await openSav()
  const put = async (vues: ReturnType<typeof views>) => sav.views.put(as('default'), 'usr_claire', { vues })
  expect(await sav.views.list('default', 'usr_claire')).toEqual([])
  expect(await put(views(50))).toEqual(views(50))
  for (const vues of [views(51), [view(1, '')], [view(1, 'x'.repeat(2001))], [{ nom: ' ', adresse: '/' }]])
    await expect(put(vues)).rejects.toThrow(ValidationError)
  expect(await sav.views.list('default', 'usr_claire')).toHaveLength(50)
  expect(await sav.views.list('default', 'usr_lea')).toEqual([])
})
