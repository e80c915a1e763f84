import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { permissions } from '../../../../test/whole/permissions.js'
import type { Actor } from '../../../core/src/access/actor.js'
import type { Permission } from '../../../core/src/access/permissions.js'
import { ConflictError, NotFoundError, ValidationError } from '../../../core/src/errors.js'
import { openPlanning, refusal } from '../../test/planning.js'
import { calendarStore } from './calendar-store.js'
import { type CalendarEntry, calendarPermissions, entriesAtOnce } from './calendars.js'

const day = 86_400_000

async function openCalendar() {
  const opened = await openPlanning()
  const { sav, actor, poseur } = opened
  const secretOf = async (poseur_id?: number) =>
    (await sav.calendars.renew(actor, poseur_id === undefined ? {} : { poseur_id })).url.slice(
      '/calendriers/'.length,
      -'.ics'.length,
    )
  const secret = await secretOf(poseur.id)
  const entries = async (of = secret) => {
    const shown = await sav.calendars.find(of)
    return shown && (await Readable.from(shown.entries).toArray()).flat()
  }
  return { ...opened, secretOf, secret, entries }
}

describe('the address of a calendar', () => {
  it('is replaced by the next address of that calendar, and not by those of other calendars', async () => {
    const { sav, secretOf, secret, poseur, helper } = await openCalendar()
    const [whole, other] = [await secretOf(), await secretOf(helper.id)]
    const renewed = await secretOf(poseur.id)
    expect(await sav.calendars.find(secret)).toBeNull()
    expect(await sav.calendars.find(renewed)).toMatchObject({ nom: 'Bruno Petit', isShared: false })
    expect(await sav.calendars.find(other)).toMatchObject({ nom: 'Ismaël Roy', isShared: false })
    expect(await sav.calendars.find(whole)).toMatchObject({ isShared: true, fuseau: 'Europe/Paris' })
  })

  it('is stored only as a hash', async () => {
    const { storage, secret, poseur } = await openCalendar()
    const [kept] = await storage.reads.of(calendarStore).list('default')
    expect(kept).toMatchObject({ poseur_id: poseur.id, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(JSON.stringify(kept)).not.toContain(secret)
  })

  it('stops working when the poseur is deactivated, and then cannot be replaced by a new one', async () => {
    const { sav, actor, poseur, secret, secretOf } = await openCalendar()
    const whole = await secretOf()
    await sav.directory.poseurs.update(actor, poseur.id, { actif: false })
    expect(await sav.calendars.find(secret)).toBeNull()
    expect(await sav.calendars.find(whole)).not.toBeNull()
    expect(await refusal(sav.calendars.renew(actor, { poseur_id: poseur.id }))).toBeInstanceOf(ConflictError)
  })

  it('is refused for a poseur of another account, and for an invalid id', async () => {
    const { sav, actor, poseur } = await openCalendar()
    await sav.accounts.add({ ...actor, account_id: 'atelier' }, 'atelier')
    const foreign = sav.calendars.renew({ ...actor, account_id: 'atelier' }, { poseur_id: poseur.id })
    expect(await refusal(foreign)).toBeInstanceOf(NotFoundError)
    expect(await refusal(sav.calendars.renew(actor, { poseur_id: 0 }))).toBeInstanceOf(ValidationError)
  })
})

describe('an address of a calendar', () => {
  async function openOwners() {
    const opened = await openCalendar()
    const { sav, actor, poseur } = opened
    const addressBy = async (owner: Actor) =>
      (await sav.calendars.renew(owner, { poseur_id: poseur.id })).url.slice('/calendriers/'.length, -'.ics'.length)
    const leads = async (secret: string) => (await sav.calendars.find(secret)) !== null
    const key = async (held: readonly Permission[] = calendarPermissions, expire?: string) => {
      const { id } = await sav.keys.create(actor, { nom: 'agenda', permissions: [...held], ...(expire && { expire }) })
      return { account_id: 'default', type: 'cle', id, nom: 'agenda' } as const
    }
    const person = async (email: string) => {
      const { id, nom } = await sav.users.add(actor, { nom: 'Claire Petit', email, role: 'lecture' })
      return { account_id: 'default', type: 'utilisateur', id, nom } as const
    }
    return { ...opened, addressBy, leads, key, person }
  }

  it('stops working when the person who made it renews it, but not when somebody else does', async () => {
    const { actor, secret, addressBy, leads, key, person } = await openOwners()
    const owners = [await key(), await key(), await person('claire@petit.example')] as const
    const first = [await addressBy(owners[0]), await addressBy(owners[1]), await addressBy(owners[2])]
    for (const each of [secret, ...first]) expect(await leads(each)).toBe(true)
    for (const [index, owner] of owners.entries()) {
      const renewed = await addressBy(owner)
      const left = await Promise.all([renewed, secret, ...first].map(leads))
      expect(left).toEqual([true, true, ...first.map((_, other) => other > index)])
    }
    expect(await leads(await addressBy(actor))).toBe(true)
    expect(await leads(secret)).toBe(false)
  })

  it('stops working when the key that made it is revoked or expires', async () => {
    const { sav, actor, clock, addressBy, leads, key } = await openOwners()
    const [revoked, kept, expiring] = [await key(), await key(), await key(undefined, '2026-03-16T05:10:00.000Z')]
    const addresses = [await addressBy(revoked), await addressBy(kept), await addressBy(expiring)]
    await sav.keys.revoke(actor, revoked.id)
    expect(await Promise.all(addresses.map(leads))).toEqual([false, true, true])
    await clock.advance(Date.parse('2026-03-16T05:10:00.000Z') - 1 - clock.now())
    expect(await Promise.all(addresses.map(leads))).toEqual([false, true, true])
    await clock.advance(1)
    expect(await Promise.all(addresses.map(leads))).toEqual([false, true, false])
  })

  it('stops working for good when the user who made it is disabled', async () => {
    const { sav, actor, secret, addressBy, leads, person } = await openOwners()
    const [claire, zoe] = [await person('claire@petit.example'), await person('zoe@petit.example')]
    const [hers, other] = [await addressBy(claire), await addressBy(zoe)]
    await sav.users.update(actor, claire.id, { role: 'atelier' })
    expect(await leads(hers)).toBe(true)
    for (const actif of [false, true]) {
      await sav.users.update(actor, claire.id, { actif })
      expect(await leads(hers)).toBe(false)
    }
    expect(await Promise.all([await addressBy(claire), other, secret].map(leads))).toEqual([true, true, true])
  })

  it.each([
    [['planning:read', 'directory:read'], true],
    [['admin'], true],
    [permissions.filter((each) => each !== 'planning:read' && each !== 'admin'), false],
    [permissions.filter((each) => each !== 'directory:read' && each !== 'admin'), false],
  ] as const)('works for a key with %j: %s', async (held, isSeen) => {
    const { addressBy, leads, key } = await openOwners()
    expect(await leads(await addressBy(await key(held)))).toBe(isSeen)
  })

  it('belongs to the account if a user of the host program makes it', async () => {
    const { storage, poseur, secret, addressBy, leads } = await openOwners()
    const ofHost = await addressBy({ account_id: 'default', type: 'utilisateur', id: 'u-17', nom: 'Zoé' })
    expect([await leads(secret), await leads(ofHost)]).toEqual([false, true])
    expect(await storage.reads.of(calendarStore).list('default')).toMatchObject([
      { poseur_id: poseur.id, proprietaire: { type: 'compte', id: null } },
    ])
  })
})

describe('a calendar', () => {
  it('shows place, customer, telephone and case, but no notes or e-mail address', async () => {
    const { sav, actor, client, booking, addCase, helper, entries } = await openCalendar()
    const lieu = { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', acces: 'Code 14B, 3e étage' }
    const personal = { lieu, telephone: '+33612345678', email: 'alice@durand.example' }
    await sav.directory.clients.update(actor, client.id, personal)
    const sav_id = await addCase()
    await sav.planning.book(actor, { ...booking, sav_id, equipiers: [helper.id], notes: 'Client difficile.' })
    expect(await entries()).toEqual([
      {
        uid: expect.stringMatching(/^rdv-\d+-20260316050000000@sav$/),
        version: 1,
        statut: 'planifie',
        type: 'sav',
        debut: '2026-03-16T08:00:00.000Z',
        fin: '2026-03-16T10:00:00.000Z',
        fuseau: 'Europe/Paris',
        reference: 'SAV-2026-00001',
        client: { nom: 'Durand', prenom: 'Alice', telephone: '+33612345678' },
        poseur: { nom: 'Bruno Petit' },
        equipiers: [{ nom: 'Ismaël Roy' }],
        lieu: { ...lieu, lat: null, lon: null },
        modifie_le: '2026-03-16T05:00:00.000Z',
      },
    ])
  })

  it('keeps the uid of a changed appointment and raises its version, in every calendar that contains it', async () => {
    const { sav, actor, booking, helper, secretOf, entries } = await openCalendar()
    const { id } = await sav.planning.book(actor, { ...booking, equipiers: [helper.id] })
    const [before] = (await entries()) ?? []
    await sav.planning.change(actor, id, { debut: '2026-03-17T09:00:00+01:00' })
    for (const secret of [undefined, await secretOf(helper.id), await secretOf()])
      expect(await entries(secret)).toEqual([
        { ...before, version: 2, debut: '2026-03-17T08:00:00.000Z', fin: '2026-03-17T10:00:00.000Z' },
      ])
  })

  it('of a poseur has only that poseur’s appointments, and the calendar of the account has all of them', async () => {
    const { sav, actor, booking, helper, secretOf, entries } = await openCalendar()
    await sav.planning.book(actor, booking)
    await sav.planning.book(actor, { ...booking, poseur_id: helper.id })
    await sav.accounts.add({ ...actor, account_id: 'atelier' }, 'atelier')
    const { url } = await sav.calendars.renew({ ...actor, account_id: 'atelier' }, {})
    expect((await entries())?.map(({ poseur }) => poseur.nom)).toEqual(['Bruno Petit'])
    expect((await entries(await secretOf()))?.map(({ poseur }) => poseur.nom)).toEqual(['Bruno Petit', 'Ismaël Roy'])
    expect(await entries(url.slice('/calendriers/'.length, -'.ics'.length))).toEqual([])
  })

  it('is read in steps without skipping or repeating appointments that begin at the same time', async () => {
    const { sav, actor, booking, poseur, secretOf } = await openCalendar()
    const debuts = ['2026-03-17T08:00:00.000Z', '2026-03-18T08:00:00.000Z']
    for (let n = 0; n <= entriesAtOnce; n += 1) {
      const { id } = n === 0 ? poseur : await sav.directory.poseurs.add(actor, { nom: `Poseur ${n}` })
      for (const debut of n < 9 ? debuts : debuts.slice(0, 1))
        await sav.planning.book(actor, { ...booking, poseur_id: id, debut })
    }
    const shown = await sav.calendars.find(await secretOf())
    const steps: CalendarEntry[][] = await Readable.from(shown?.entries ?? []).toArray()
    const all = steps.flat()
    expect(new Set(all.map(({ uid }) => uid)).size).toBe(all.length)
    expect(all.map(({ debut }) => debut)).toEqual([
      ...Array.from({ length: entriesAtOnce + 1 }, () => debuts[0]),
      ...Array.from({ length: 9 }, () => debuts[1]),
    ])
    expect(Math.max(...steps.map(({ length }) => length))).toBe(entriesAtOnce)
  })

  it('covers the last 30 days and all future appointments', async () => {
    const { sav, actor, booking, clock, entries } = await openCalendar()
    await sav.planning.book(actor, booking)
    await sav.planning.book(actor, { ...booking, debut: '2029-10-01T09:00:00+02:00' })
    const begun = Date.parse('2026-03-16T08:00:00Z') + 30 * day - clock.now()
    await clock.advance(begun)
    expect(await entries()).toHaveLength(2)
    await clock.advance(1)
    expect((await entries())?.map(({ debut }) => debut)).toEqual(['2029-10-01T07:00:00.000Z'])
  })

  it('keeps cancelled visits for 30 days, and omits expired proposals', async () => {
    const { sav, actor, booking, clock, entries } = await openCalendar()
    const { id } = await sav.planning.book(actor, { ...booking, debut: '2026-06-01T09:00:00+02:00' })
    await sav.planning.book(actor, { ...booking, debut: '2026-06-02T09:00:00+02:00', statut: 'propose' })
    await sav.planning.change(actor, id, { statut: 'annule', motif_annulation: 'Le client part en voyage.' })
    expect((await entries())?.map(({ statut }) => statut)).toEqual(['annule', 'propose'])
    await clock.advance(15 * 60_000)
    expect((await entries())?.map(({ statut, version }) => [statut, version])).toEqual([['annule', 2]])
    await clock.advance(30 * day - 15 * 60_000)
    expect(await entries()).toHaveLength(1)
    await clock.advance(1)
    expect(await entries()).toEqual([])
  })
})
