import { describe, expect, it } from 'vitest'
import { declaredPermissions, permissions } from '../../../../test/whole/permissions.js'
import { isAllowed } from '../../../core/src/access/permissions.js'
import { ConflictError, SignInRefusedError, ValidationError } from '../../../core/src/errors.js'
import { toInstant } from '../../../core/src/time/time.js'
import { roles } from '../../../core/src/values/vocabulary.js'
import { as, openSav } from '../../../core/test/open-sav.js'
import { device, tokenOf } from '../../test/people.js'
import { permissionsOfRole } from './user.js'

const actor = as('default')
const claire = { nom: 'Claire Petit', email: 'Claire@Petit.example', role: 'gestion' } as const

it('each role has exactly the permissions that are listed here', () => {
  const allowed = roles.map((role) =>
    permissions.filter((needed) => isAllowed(permissionsOfRole(declaredPermissions, role), needed)),
  )
  expect(allowed).toEqual([
    permissions,
    permissions.filter((each) => each !== 'webhooks:write' && each !== 'terrain' && each !== 'admin'),
    ['sav:read', 'sav:close', 'directory:read', 'planning:read', 'planning:write'],
    ['terrain'],
    ['sav:read', 'directory:read', 'planning:read'],
  ])
})

describe('people', () => {
  it('with the role poseur always have an installer', async () => {
    const { sav, poseur } = await openSav()
    const role = 'poseur'
    const needed = { details: [expect.objectContaining({ field: 'poseur_id', code: 'required' })] }
    await expect(sav.users.add(actor, { ...claire, role })).rejects.toMatchObject(needed)
    const added = await sav.users.add(actor, { ...claire, role, poseur_id: poseur.id })
    await expect(sav.users.update(actor, added.id, { poseur_id: null })).rejects.toMatchObject(needed)
    const moved = await sav.users.update(actor, added.id, { role: 'gestion', poseur_id: null })
    await expect(sav.users.update(actor, added.id, { role })).rejects.toMatchObject(needed)
    expect([moved.role, moved.poseur_id]).toEqual(['gestion', null])
  })

  it('are added, changed, disabled and enabled again', async () => {
    const { sav, clock, poseur } = await openSav()
    const added = await sav.users.add(actor, { ...claire, poseur_id: poseur.id })
    expect(added).toEqual({
      id: expect.stringMatching(/^usr_/),
      ...claire,
      email: 'claire@petit.example',
      poseur_id: poseur.id,
      actif: true,
      date_creation: toInstant(clock.now()),
      derniere_connexion: null,
    })
    const { id } = added
    expect(await sav.users.update(actor, id, { role: 'lecture', poseur_id: null })).toMatchObject({ role: 'lecture' })
    expect(await sav.users.update(actor, id, { actif: false })).toMatchObject({ actif: false, poseur_id: null })
    expect(await sav.users.get('default', id)).toMatchObject({ actif: false })
    expect(await sav.users.update(actor, id, { actif: true })).toMatchObject({ actif: true })
    expect(await sav.users.list('default')).toMatchObject([{ id }])
  })

  it('keep an administrator: the last one can neither be demoted nor disabled, even by concurrent calls', async () => {
    const { sav } = await openSav()
    const add = (email: string, role: 'administration' | 'lecture') => sav.users.add(actor, { ...claire, email, role })
    const [first, second] = [
      await add('a@petit.example', 'administration'),
      await add('b@petit.example', 'administration'),
    ]
    await add('c@petit.example', 'lecture')
    const both = await Promise.allSettled([
      sav.users.update(actor, first.id, { role: 'gestion' }),
      sav.users.update(actor, second.id, { actif: false }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const left = (await sav.users.list('default')).filter(({ role, actif }) => role === 'administration' && actif)
    expect(left).toHaveLength(1)
    const { id = '' } = left[0] ?? {}
    for (const change of [{ role: 'lecture' }, { actif: false }] as const)
      await expect(sav.users.update(actor, id, change)).rejects.toThrow(/is the last administrator/)
    expect(await sav.users.update(actor, id, { role: 'administration', nom: 'Zoé' })).toMatchObject({ nom: 'Zoé' })
  })

  it('have unique addresses in the account, whatever the case of letters', async () => {
    const { sav, addAccount } = await openSav()
    await addAccount('other')
    await sav.users.add(actor, claire)
    const other = await sav.users.add(actor, { ...claire, email: 'zoe@petit.example' })
    await expect(sav.users.add(actor, { ...claire, email: 'CLAIRE@petit.example' })).rejects.toThrow(ConflictError)
    await expect(sav.users.update(actor, other.id, { email: 'claire@PETIT.example' })).rejects.toThrow(ConflictError)
    await expect(sav.users.add(as('other'), claire)).resolves.toBeDefined()
  })

  it('are refused with an empty name, an unknown role or an inactive installer', async () => {
    const { sav, poseur } = await openSav()
    const refused = async (fields: object) => {
      const problem = await sav.users.add(actor, { ...claire, ...fields }).catch((error: unknown) => error)
      return problem instanceof ValidationError ? problem.details.map(({ field }) => field) : problem
    }
    expect(await refused({ nom: ' ', email: 'claire' })).toEqual(['nom', 'email'])
    expect(await refused({ role: 'chef' })).toEqual(['role'])
    expect(await refused({ poseur_id: 999 })).toEqual(['poseur_id'])
    await sav.directory.poseurs.update(actor, poseur.id, { actif: false })
    expect(await refused({ poseur_id: poseur.id })).toEqual(['poseur_id'])
    expect(await sav.users.list('default')).toEqual([])
  })
})

describe('an invitation', () => {
  it('is a link that works for 15 minutes, whose secret browsers do not send to a server', async () => {
    const { sav, clock } = await openSav({ publicUrl: 'https://sav.petit.example/' })
    const { id } = await sav.users.add(actor, claire)
    expect(await sav.users.invite(actor, id)).toEqual({
      canal: 'lien',
      url: expect.stringMatching(/^https:\/\/sav\.petit\.example\/app\/connexion#sav_inv_[\w-]{43}$/),
      expire_a: toInstant(clock.now() + 900_000),
    })
  })

  it.each(roles)('leads to the installers’ app or the console, depending on the role: %s', async (role) => {
    const { sav } = await openSav({ publicUrl: 'https://sav.petit.example' })
    const { id: poseur_id } = await sav.directory.poseurs.add(actor, { nom: 'Bruno Petit' })
    const { id } = await sav.users.add(actor, { ...claire, role, poseur_id: role === 'poseur' ? poseur_id : null })
    const invitation = await sav.users.invite(actor, id)
    const { pathname } = new URL(invitation.canal === 'lien' ? invitation.url : '')
    expect(pathname).toBe(role === 'poseur' ? '/app/terrain/' : '/app/connexion')
  })

  it('is a path if the service has no public address', async () => {
    const { sav } = await openSav()
    const { id } = await sav.users.add(actor, claire)
    const url = expect.stringMatching(/^\/app\/connexion#sav_inv_/)
    expect(await sav.users.invite(actor, id)).toMatchObject({ url })
  })

  it('is refused for a disabled person, whose earlier invitations stay invalid', async () => {
    const { sav } = await openSav()
    const { id } = await sav.users.add(actor, claire)
    const token = tokenOf(await sav.users.invite(actor, id))
    await sav.users.update(actor, id, { actif: false })
    await expect(sav.users.invite(actor, id)).rejects.toThrow(ConflictError)
    await sav.users.update(actor, id, { actif: true })
    await expect(sav.signIns.byInvitation({ token }, device)).rejects.toThrow(SignInRefusedError)
  })
})
