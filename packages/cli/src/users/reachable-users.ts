import type { Invitation, InviteInput, Sessions, Users } from '@sav/core'
import type { Context, OpenedAccount } from '../invocation/context.js'
import { type Reachable, reach, type Service } from '../invocation/reachable.js'
import { localAddress, wholeLink } from '../running/local-address.js'

/** People, of the store or over the network. */
export interface ReachableUsers extends Reachable<Users, 'add' | 'list' | 'update'> {
  /** Its link is whole, wherever one can be told. */
  invite(id: string, input: InviteInput): Promise<Invitation>
  sessions(id: string): ReturnType<Sessions['list']>
  endSessions(id: string): ReturnType<Sessions['endAll']>
}

export function reachableUsers(context: Context): Promise<ReachableUsers> {
  return reach(context, {
    here: async (opened) => usersHere(opened, await localAddress(opened.storage, context.settings)),
    there: (service) => usersThere(service, context.remote?.url ?? null),
  })
}

function usersHere({ sav, account_id, actor, perform }: OpenedAccount, base: string | null): ReachableUsers {
  const { users, sessions, writes } = sav
  return {
    add: (input) => perform(writes.users.add(actor, input)),
    list: () => users.list(account_id),
    update: (id, input) => perform(writes.users.update(actor, id, input)),
    invite: async (id, input) => whole(await perform(writes.users.invite(actor, id, input)), base),
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
    invite: async (id, body) =>
      whole(await data(client.post('/api/v1/utilisateurs/{user}/inviter', { ...of(id), body })), base),
    sessions: (id) => data(client.get('/api/v1/utilisateurs/{user}/sessions', of(id))),
    endSessions: (id) => data(client.delete('/api/v1/utilisateurs/{user}/sessions', of(id))),
  }
}

const whole = (invitation: Invitation, base: string | null): Invitation =>
  invitation.canal === 'lien' ? { ...invitation, url: wholeLink(invitation.url, base) } : invitation
