import { describe, expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { ConflictError, NotFoundError, ValidationError } from '../errors.js'

describe('an account', () => {
  it('begins with its name and a few defaults, and is listed', async () => {
    const { sav, clock } = await openSav()
    const added = await sav.accounts.add(as('lyon'), 'lyon')
    expect(Object.fromEntries(Object.entries(added).filter(([, value]) => value !== null && value !== false))).toEqual({
      id: 'lyon',
      couleur: '#17507a',
      zone_feries: 'FR',
      pas: 15,
      textes_terrain: [],
      created_at: new Date(clock.now()).toISOString(),
    })
    expect(await sav.accounts.get('lyon')).toEqual(added)
    expect((await sav.accounts.list()).map(({ id }) => id)).toEqual(['default', 'lyon'])
  })

  it('has a unique name', async () => {
    const { sav } = await openSav()
    await expect(sav.accounts.add(as('default'), 'default')).rejects.toThrow(ConflictError)
    expect(await sav.accounts.list()).toHaveLength(1)
  })

  it.each(['', 'Lyon', 'lyon 2', '-lyon', 'é', 'a/b', '__proto__', 'a'.repeat(64), 'lyon\n'])(
    'cannot have the name %j',
    async (name) => {
      const { sav } = await openSav()
      await expect(sav.accounts.add(as(name), name)).rejects.toThrow(ValidationError)
    },
  )

  it.each(['a', '0', 'lyon-2_b', 'a'.repeat(63)])('can have the name %j', async (name) => {
    const { sav } = await openSav()
    expect((await sav.accounts.add(as(name), name)).id).toBe(name)
  })

  it.each(['3639', '118 712', '04 78 00 11 22', '0262 12 34 56'])('can have the telephone %j', async (telephone) => {
    const { sav } = await openSav()
    expect(await sav.accounts.update(as('default'), { telephone })).toMatchObject({ telephone })
  })

  it('cannot have a telephone that cannot be dialled', async () => {
    const { sav } = await openSav()
    await expect(sav.accounts.update(as('default'), { telephone: '04 78 00 11 2' })).rejects.toThrow(ValidationError)
  })

  it('has only the given fields changed by an update', async () => {
    const { sav } = await openSav()
    await sav.accounts.update(as('default'), { raison_sociale: 'Cuisines Martin', siret: '12345678900012' })
    const updated = await sav.accounts.update(as('default'), {
      email: 'sav@martin.example',
      siret: null,
      signature_requise: true,
    })
    expect(updated).toMatchObject({
      raison_sociale: 'Cuisines Martin',
      siret: null,
      email: 'sav@martin.example',
      signature_requise: true,
    })
    expect(await sav.accounts.get('default')).toEqual(updated)
    expect(await sav.accounts.update(as('default'), { signature_requise: false })).toMatchObject({
      signature_requise: false,
    })
  })

  it('has every bad field reported at once', async () => {
    const { sav } = await openSav()
    const input = JSON.parse('{"siret":"123","email":"martin","signature_requise":"oui","logo":"x","fuseau":"IST"}')
    const refusal = await sav.accounts.update(as('default'), input).catch((error: unknown) => error)
    expect(refusal instanceof ValidationError && refusal.details.map(({ field }) => field).toSorted()).toEqual([
      'email',
      'fuseau',
      'logo',
      'signature_requise',
      'siret',
    ])
  })

  it('that does not exist is not found', async () => {
    const { sav } = await openSav()
    await expect(sav.accounts.get('lyon')).rejects.toThrow(NotFoundError)
    await expect(sav.accounts.update(as('lyon'), { email: null })).rejects.toThrow(NotFoundError)
  })
})
