import type { Storage } from '@sav/core/ports'
import { digest, ended, instantAfter as instant, type Suite, twoOwners } from '@sav/storage-contract'
import type { SessionRecord, SignInAttempt } from '../sessions/session.js'
import { sessionStore } from '../sessions/session-store.js'
import type { Passkey, User } from '../users/user.js'
import { userStore } from '../users/user-store.js'

const user = (id: string, fields: Partial<User> = {}): User => ({
  id: `usr_${id}`,
  account_id: 'ours',
  nom: 'Claire Petit',
  email: `${id}@cuisines-petit.example`,
  role: 'gestion',
  poseur_id: null,
  date_creation: instant(),
  desactive_le: null,
  derniere_connexion: null,
  ...fields,
})

const passkey = (id: string, user_id: string, fields: Partial<Passkey> = {}): Passkey => ({
  id: `psk_${id}`,
  account_id: 'ours',
  user_id: `usr_${user_id}`,
  nom: 'Téléphone de Claire',
  credential_id: `credential-${id}`,
  public_key: 'pQECAyYgASFYIA',
  compteur: 0,
  transports: ['internal', 'hybrid'],
  date_creation: instant(),
  derniere_utilisation: null,
  ...fields,
})

const endedBy = (ms: number) => ({ before: instant(ms), devicesBefore: instant(ms) })

const session = (n: number, user_id: string, fields: Partial<SessionRecord> = {}): SessionRecord => ({
  id: `ses_${n}`,
  account_id: 'ours',
  user_id: `usr_${user_id}`,
  hash: digest(n),
  methode: 'passkey',
  ip: '2001:db8::7',
  appareil: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)',
  date_creation: instant(n),
  derniere_utilisation: instant(n),
  appareil_terrain: null,
  en_attente: null,
  ...fields,
})

const attempt = (n: number, fields: Partial<SignInAttempt> = {}): SignInAttempt => ({
  hash: digest(n),
  methode: 'invitation',
  account_id: 'ours',
  user_id: 'usr_a',
  expire_a: instant(60_000),
  ...fields,
})

async function add(storage: Storage, ...users: User[]): Promise<boolean[]> {
  const added: boolean[] = []
  for (const each of users) added.push(await storage.transaction((tx) => tx.of(userStore).add(each)))
  return added
}

function userContract({ describe, it, expect }: Suite): void {
  describe('people', () => {
    it('are read back unchanged, only in their account', async (storage) => {
      const { ours } = await twoOwners(storage)
      const people = [
        user('a', { poseur_id: ours.poseur_id, role: 'atelier', derniere_connexion: instant(5) }),
        user('b', { nom: 'Ångström, Bengt', desactive_le: instant(9) }),
        user('c', { account_id: 'theirs', role: 'administration' }),
      ]
      expect(await add(storage, ...people)).toEqual([true, true, true])
      const users = storage.reads.of(userStore)
      for (const each of people) expect(await users.find(each.account_id, each.id)).toEqual(each)
      expect(await users.find('theirs', 'usr_a')).toBeNull()
      expect(await users.find('ours', 'usr_z')).toBeNull()
      expect(await users.list('theirs')).toEqual([people[2]])
      expect((await users.list('ours')).map(({ id }) => id).toSorted()).toEqual(['usr_a', 'usr_b'])
    })

    it('are listed by name as a French dictionary orders them, then by id', async (storage) => {
      await twoOwners(storage)
      await add(storage, user('c', { nom: 'Zoé' }), user('b', { nom: 'Éric' }), user('a', { nom: 'Zoé' }))
      await add(storage, user('d', { nom: 'alice' }))
      expect((await storage.reads.of(userStore).list('ours')).map(({ id }) => id)).toEqual([
        'usr_d',
        'usr_b',
        'usr_a',
        'usr_c',
      ])
    })

    it('have unique addresses in an account, and may share one across accounts', async (storage) => {
      await twoOwners(storage)
      const email = 'claire@petit.example'
      const first = user('a', { email })
      const elsewhere = user('c', { email, account_id: 'theirs' })
      expect(await add(storage, first, user('b', { email }), elsewhere)).toEqual([true, false, true])
      expect(await storage.reads.of(userStore).find('ours', 'usr_b')).toBeNull()
      const found = await storage.reads.of(userStore).findByEmail(email)
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([first, elsewhere])
      expect(await storage.reads.of(userStore).findByEmail('nobody@petit.example')).toEqual([])
    })

    it('an update replaces the given fields, but refuses another user’s address', async (storage) => {
      await twoOwners(storage)
      const first = user('a')
      await add(storage, first, user('b'))
      const update = (account_id: string, id: string, fields: object) =>
        storage.transaction((tx) => tx.of(userStore).update(account_id, id, fields))
      expect(await update('ours', 'usr_a', { nom: 'Claire Roux', role: 'lecture', email: undefined })).toBe(true)
      expect(await update('ours', 'usr_a', { email: 'b@cuisines-petit.example', nom: 'Nobody' })).toBe(false)
      expect(await update('ours', 'usr_a', { email: first.email })).toBe(true)
      await ended(update('theirs', 'usr_a', { nom: 'Nobody' }))
      expect(await storage.reads.of(userStore).find('ours', 'usr_a')).toEqual({
        ...first,
        nom: 'Claire Roux',
        role: 'lecture',
      })
    })
  })

  describe('passkeys', () => {
    it('are found by their credential id, and listed by their owner', async (storage) => {
      await twoOwners(storage)
      await add(storage, user('a'), user('b'))
      const all = [
        passkey('2', 'a', { date_creation: instant(2) }),
        passkey('1', 'a'),
        passkey('3', 'b', { transports: [] }),
      ]
      for (const each of all) expect(await storage.transaction((tx) => tx.of(userStore).addPasskey(each))).toBe(true)
      const users = storage.reads.of(userStore)
      for (const each of all) expect(await users.findPasskey(each.credential_id)).toEqual(each)
      expect(await users.findPasskey('credential-9')).toBeNull()
      expect(await users.passkeys('ours', 'usr_a')).toEqual([all[1], all[0]])
      expect(await users.passkeys('theirs', 'usr_a')).toEqual([])
    })

    it('are refused if their credential id is already stored, even for another user', async (storage) => {
      await twoOwners(storage)
      await add(storage, user('a'), user('b'))
      const first = passkey('1', 'a')
      const again = passkey('2', 'b', { credential_id: first.credential_id })
      await storage.transaction((tx) => tx.of(userStore).addPasskey(first))
      expect(await storage.transaction((tx) => tx.of(userStore).addPasskey(again))).toBe(false)
      expect(await storage.reads.of(userStore).findPasskey(first.credential_id)).toEqual(first)
    })

    it('record their use, and can be removed by their owner', async (storage) => {
      await twoOwners(storage)
      await add(storage, user('a'), user('b'))
      const first = passkey('1', 'a')
      await storage.transaction((tx) => tx.of(userStore).addPasskey(first))
      const use = { account_id: 'ours', id: 'psk_1', compteur: 4_294_967_295, derniere_utilisation: instant(9) }
      await storage.transaction((tx) => tx.of(userStore).usePasskey(use))
      expect(await storage.reads.of(userStore).passkeys('ours', 'usr_a')).toEqual([{ ...first, ...use }])
      const remove = (account_id: string, user_id: string) =>
        storage.transaction((tx) => tx.of(userStore).removePasskey(account_id, user_id, 'psk_1'))
      expect(await remove('ours', 'usr_b')).toBe(false)
      expect(await remove('theirs', 'usr_a')).toBe(false)
      expect(await remove('ours', 'usr_a')).toBe(true)
      expect(await storage.reads.of(userStore).findPasskey(first.credential_id)).toBeNull()
    })
  })
}

function sessionContract({ describe, it, expect }: Suite): void {
  async function open(storage: Storage) {
    await twoOwners(storage)
    await add(storage, user('a'), user('b'), user('c', { account_id: 'theirs' }))
    const addSession = (each: SessionRecord) => storage.transaction((tx) => tx.of(sessionStore).add(each))
    return {
      addSession,
      ids: async () => (await storage.reads.of(sessionStore).ofUser('ours', 'usr_a')).map(({ id }) => id),
    }
  }

  describe('sessions', () => {
    it('are found by their hash, with the current data of the person', async (storage) => {
      const { addSession } = await open(storage)
      await addSession(session(1, 'a'))
      const sessions = storage.reads.of(sessionStore)
      expect(await sessions.findByHash(digest(1))).toEqual({ session: session(1, 'a'), user: user('a') })
      expect(await sessions.findByHash(digest(2))).toBeNull()
      await storage.transaction((tx) => tx.of(userStore).update('ours', 'usr_a', { role: 'lecture' }))
      expect((await sessions.findByHash(digest(1)))?.user.role).toBe('lecture')
    })

    it('are listed for one person, newest first', async (storage) => {
      const { addSession, ids } = await open(storage)
      for (const each of [session(2, 'a'), session(3, 'a'), session(1, 'a'), session(4, 'b')]) await addSession(each)
      expect(await ids()).toEqual(['ses_3', 'ses_2', 'ses_1'])
      expect(await storage.reads.of(sessionStore).ofUser('theirs', 'usr_a')).toEqual([])
    })

    it('can be ended one by one, or all at once for one person', async (storage) => {
      const { addSession, ids } = await open(storage)
      for (const each of [1, 2, 3]) await addSession(session(each, 'a'))
      await addSession(session(4, 'b'))
      const end = (account_id: string, user_id: string, id?: string) =>
        storage.transaction((tx) => tx.of(sessionStore).end(account_id, user_id, id))
      expect(await end('ours', 'usr_b', 'ses_2')).toBe(0)
      expect(await end('theirs', 'usr_a')).toBe(0)
      expect(await end('ours', 'usr_a', 'ses_2')).toBe(1)
      expect(await ids()).toEqual(['ses_3', 'ses_1'])
      expect(await end('ours', 'usr_a')).toBe(2)
      expect(await storage.reads.of(sessionStore).findByHash(digest(1))).toBeNull()
      expect(await storage.reads.of(sessionStore).findByHash(digest(4))).not.toBeNull()
    })

    it('record their latest use, unless they have ended', async (storage) => {
      const { addSession } = await open(storage)
      await addSession(session(1, 'a'))
      const note = (id: string, at: string, account_id = 'ours') =>
        storage.transaction((tx) => tx.of(sessionStore).noteUse([{ account_id, id, at }]))
      await note('ses_1', instant(100))
      await note('ses_1', instant(50))
      await note('ses_1', instant(900), 'theirs')
      await note('ses_9', instant(900))
      expect(await storage.reads.of(sessionStore).ofUser('ours', 'usr_a')).toEqual([
        session(1, 'a', { derniere_utilisation: instant(100) }),
      ])
    })

    it('of phones are purged by a time limit of their own', async (storage) => {
      const { addSession, ids } = await open(storage)
      for (const n of [1, 2]) await addSession(session(n, 'a'))
      const device = { appareil_terrain: 'Téléphone de Bruno', en_attente: 3, derniere_utilisation: instant(1) }
      await storage.transaction((tx) => tx.of(sessionStore).setDevice('ours', 'ses_1', device))
      await storage.transaction((tx) => tx.of(sessionStore).setDevice('theirs', 'ses_2', device))
      expect(
        (await storage.reads.of(sessionStore).ofUser('ours', 'usr_a')).toSorted((x, y) => (x.id < y.id ? -1 : 1)),
      ).toEqual([session(1, 'a', device), session(2, 'a')])
      const purge = (devicesBefore: string) =>
        storage.transaction((tx) => tx.of(sessionStore).purge({ before: instant(9), devicesBefore }, 5))
      expect(await storage.reads.of(sessionStore).purgeable({ before: instant(9), devicesBefore: instant(2) })).toBe(2)
      expect(await purge(instant(1))).toBe(1)
      expect(await ids()).toEqual(['ses_1'])
      expect(await purge(instant(2))).toBe(1)
      expect(await ids()).toEqual([])
    })
  })

  describe('a token for signing in', () => {
    it('can be taken once, and only for its own purpose', async (storage) => {
      await open(storage)
      const anybody = attempt(2, { methode: 'passkey', account_id: null, user_id: null })
      for (const each of [attempt(1), anybody]) await storage.transaction((tx) => tx.of(sessionStore).addAttempt(each))
      const take = (n: number, methode: SignInAttempt['methode']) =>
        storage.transaction((tx) => tx.of(sessionStore).takeAttempt(digest(n), methode))
      expect(await take(1, 'passkey')).toBeNull()
      expect(await take(9, 'invitation')).toBeNull()
      expect(await take(1, 'invitation')).toEqual(attempt(1))
      expect(await take(1, 'invitation')).toBeNull()
      expect(await take(2, 'passkey')).toEqual(anybody)
    })

    it('can be read any number of times for its own purpose, until it is taken', async (storage) => {
      await open(storage)
      await storage.transaction((tx) => tx.of(sessionStore).addAttempt(attempt(1, { expire_a: instant(0) })))
      const find = (n: number, methode: SignInAttempt['methode']) =>
        storage.reads.of(sessionStore).findAttempt(digest(n), methode)
      for (let looks = 0; looks < 2; looks += 1)
        expect(await find(1, 'invitation')).toEqual(attempt(1, { expire_a: instant(0) }))
      expect([await find(1, 'passkey'), await find(9, 'invitation')]).toEqual([null, null])
      await storage.transaction((tx) => tx.of(sessionStore).takeAttempt(digest(1), 'invitation'))
      expect(await find(1, 'invitation')).toBeNull()
    })

    it('is stored only once, even by concurrent calls', async (storage) => {
      await open(storage)
      const keep = (expire_a: string) =>
        storage.transaction((tx) => tx.of(sessionStore).addAttempt(attempt(1, { expire_a })))
      expect((await Promise.all([instant(7), instant(7), instant(7)].map(keep))).toSorted()).toEqual([
        false,
        false,
        true,
      ])
      expect(await keep(instant(9))).toBe(false)
      expect(await storage.reads.of(sessionStore).findAttempt(digest(1), 'invitation')).toEqual(
        attempt(1, { expire_a: instant(7) }),
      )
    })

    it('is given to only one of several concurrent calls', async (storage) => {
      await open(storage)
      await storage.transaction((tx) => tx.of(sessionStore).addAttempt(attempt(1)))
      const take = () => storage.transaction((tx) => tx.of(sessionStore).takeAttempt(digest(1), 'invitation'))
      const taken = await Promise.all([take(), take(), take()])
      expect(taken.filter((each) => each !== null)).toEqual([attempt(1)])
    })

    it('still exists after the transaction that took it fails', async (storage) => {
      await open(storage)
      await storage.transaction((tx) => tx.of(sessionStore).addAttempt(attempt(1)))
      await ended(
        storage.transaction(async (tx) => {
          await tx.of(sessionStore).takeAttempt(digest(1), 'invitation')
          throw new Error('changed our mind')
        }),
      )
      expect(await storage.transaction((tx) => tx.of(sessionStore).takeAttempt(digest(1), 'invitation'))).toEqual(
        attempt(1),
      )
    })

    it('is deleted with all others of the same person', async (storage) => {
      await open(storage)
      const other = attempt(3, { user_id: 'usr_b' })
      const all = [attempt(1), attempt(2, { methode: 'enregistrement' }), other]
      for (const each of all) await storage.transaction((tx) => tx.of(sessionStore).addAttempt(each))
      await storage.transaction((tx) => tx.of(sessionStore).forgetAttempts('theirs', 'usr_a'))
      await storage.transaction((tx) => tx.of(sessionStore).forgetAttempts('ours', 'usr_a'))
      const take = ({ hash, methode }: SignInAttempt) =>
        storage.transaction((tx) => tx.of(sessionStore).takeAttempt(hash, methode))
      expect([await take(attempt(1)), await take(attempt(2, { methode: 'enregistrement' }))]).toEqual([null, null])
      expect(await take(other)).toEqual(other)
    })

    it('a purge deletes sessions and tokens that ended before its time, up to a number of each', async (storage) => {
      const { addSession, ids } = await open(storage)
      for (const n of [1, 2, 5]) await addSession(session(n, 'a'))
      for (const n of [1, 2, 5])
        await storage.transaction((tx) => tx.of(sessionStore).addAttempt(attempt(n, { expire_a: instant(n) })))
      expect(await storage.reads.of(sessionStore).purgeable(endedBy(1))).toBe(0)
      expect(await storage.reads.of(sessionStore).purgeable(endedBy(5))).toBe(4)
      const gone: number[] = []
      for (let round = 0; round < 3; round += 1)
        gone.push(await storage.transaction((tx) => tx.of(sessionStore).purge(endedBy(5), 1)))
      expect(gone).toEqual([2, 2, 0])
      expect(await ids()).toEqual(['ses_5'])
      expect(await storage.transaction((tx) => tx.of(sessionStore).takeAttempt(digest(5), 'invitation'))).not.toBeNull()
    })
  })
}

/** The contract of the repositories of users, for `storageContract({ features })`. */
export function peopleContract(suite: Suite): void {
  userContract(suite)
  sessionContract(suite)
}
