import { describe, expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { ValidationError } from '../errors.js'

describe('a poseur', () => {
  it('is active by default', async () => {
    const { sav } = await openSav()
    const added = await sav.directory.poseurs.add(as('default'), { nom: ' Karim Haddad ' })
    const unknown = { email: null, couleur: null, lieu: null, lieu_retour: null }
    expect(added).toEqual({ id: expect.any(Number), nom: 'Karim Haddad', actif: true, ...unknown })
    expect(await sav.directory.poseurs.get('default', added.id)).toEqual(added)
    expect(await sav.directory.poseurs.add(as('default'), { nom: 'Ida Roux', actif: false })).toMatchObject({
      actif: false,
    })
  })

  it('can become inactive, and active again', async () => {
    const { sav, poseur } = await openSav()
    const inactive = await sav.directory.poseurs.update(as('default'), poseur.id, { actif: false })
    expect(inactive).toEqual({ ...poseur, actif: false })
    expect(await sav.directory.poseurs.update(as('default'), poseur.id, { nom: 'Bruno Grand' })).toMatchObject({
      actif: false,
    })
    expect(await sav.directory.poseurs.update(as('default'), poseur.id, { actif: true })).toMatchObject({
      nom: 'Bruno Grand',
      actif: true,
    })
  })

  it.each([
    [{}],
    [{ nom: '' }],
    [{ nom: 'x'.repeat(121) }],
    [{ nom: 5 }],
    [{ nom: 'Ida', actif: 1 }],
    [{ nom: 'Ida', prenom: 'x' }],
  ])('is refused: %j', async (input) => {
    const { sav } = await openSav()
    const add = sav.directory.poseurs.add(as('default'), JSON.parse(JSON.stringify(input)))
    await expect(add).rejects.toThrow(ValidationError)
  })
})
