import type { Sessions, Users } from '@sav/core'
import type { Context, OpenedAccount } from '../invocation/context.js'
import { type Reachable, reach, type Service } from '../invocation/reachable.js'
import { localAddress } from '../running/local-address.js'

type Invitation = Awaited<ReturnType<Users['invite']>>

/** People, of the store or over the network. */
export interface ReachableUsers extends Reachable<Users, 'add' | 'list' | 'update'> {
  /** Its link is whole, wherever one can be told. */
  invite(id: string): Promise<Invitation>
  sessions(id: string): ReturnType<Sessions['list']>
  endSessions(id: string): ReturnType<Sessions['endAll']>
}

export function reachableUsers(context: Context): Promise<ReachableUsers> {
  const { port } = context.settings
  // Before a service was started; a port that is to be picked cannot be told.
  const local = port === 0 ? null : `http://localhost:${port}`
  return reach(context, {
    here: async (opened) => usersHere(opened, (await localAddress(opened.storage)) ?? local),
    there: (service) => usersThere(service, context.remote?.url ?? null),
  })
}

function usersHere({ sav, account_id, actor, perform }: OpenedAccount, base: string | null): ReachableUsers {
  const { users, sessions, writes } = sav
  return {
    add: (input) => perform(writes.users.add(actor, input)),
    list: () => users.list(account_id),
    update: (id, input) => perform(writes.users.update(actor, id, input)),
    invite: async (id) => whole(await perform(writes.users.invite(actor, id)), base),
    sessions: (id) => sessions.list(account_id, id),
    endSessions: (id) => perform(writes.sessions.endAll(actor, id)),
  }
}

function usersThere({ client, data }: Service, base: string | null): ReachableUsers {
  const of = (user: string) => ({ params: { user } })
  return {
    add: (body) => data(client.post('/api/v1/utilisateurs', { body })),
    list: () => data(client.get('/api/v1/utilisateurs')),
    update: (id, body) => data(client.put('/api/v1/utilisateurs/{user}', { ...of(id), body })),
    invite: async (id) => whole(await data(client.post('/api/v1/utilisateurs/{user}/inviter', of(id))), base),
    sessions: (id) => data(client.get('/api/v1/utilisateurs/{user}/sessions', of(id))),
    endSessions: (id) => data(client.delete('/api/v1/utilisateurs/{user}/sessions', of(id))),
  }
}

const whole = ({ url, expire_a }: Invitation, base: string | null): Invitation => ({
  url: url.startsWith('/') && base !== null ? base.replace(/\/+$/, '') + url : url,
  expire_a,
})
