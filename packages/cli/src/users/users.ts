import type { AddUserInput, UpdateUserInput, UserView } from '@sav/core'
import type { Role } from '@sav/core/internal'
import type { SavClient } from '@sav/http-node/client'
import type { Context } from '../invocation/context.js'
import { baseOf, openInProgram, wholeLink } from '../invocation/links.js'
import type { Output } from '../process/outcome.js'
import { confirm } from '../terminal/confirmation.js'
import { peopleTime } from '../terminal/people-time.js'
import { fields, table } from '../terminal/table.js'
import { counted } from '../terminal/terminal.js'

export async function addUser(context: Context, body: AddUserInput): Promise<Output> {
  const { data: user } = await (await context.api()).post('/api/v1/utilisateurs', { body })
  return { json: user, text: `${page(context, user)}\n\nThey sign in by a link first: sav users invite ${user.id}` }
}

interface InviteOptions {
  readonly open?: true
  readonly mail?: true
}

export async function inviteUser(context: Context, id: string, { open, mail }: InviteOptions): Promise<Output> {
  const api = await context.api()
  const body = { canal: mail ? 'email' : 'lien' } as const
  const { data: told } = await api.post('/api/v1/utilisateurs/{user}/inviter', { params: { user: id }, body })
  const invitation = told.canal === 'lien' ? { ...told, url: wholeLink(told.url, await baseOf(context)) } : told
  if (invitation.canal === 'email') {
    const { email, livraison } = invitation
    const fate = `sav webhooks show ${livraison}`
    return { json: invitation, text: `On its way to ${email}, for 15 minutes from when it is sent: ${fate}` }
  }
  if (open) await openInProgram(context, invitation.url)
  const local = peopleTime(context)
  const lines = [
    ['Link', invitation.url],
    ['Until', `${local.at(invitation.expire_a)} (${local.timeZone})`],
  ] as const
  const once = 'It signs in whoever opens it first, once: give it to nobody else.'
  return { json: invitation, text: `${fields(context.terminal, lines)}\n\n${once}` }
}

export async function listUsers(context: Context): Promise<Output> {
  const { data: users } = await (await context.api()).get('/api/v1/utilisateurs')
  const local = peopleTime(context)
  const rows = users.map(({ id, nom, email, role, actif, derniere_connexion }) => [
    id,
    nom,
    email,
    role,
    actif ? 'active' : 'disabled',
    derniere_connexion && local.at(derniere_connexion),
  ])
  const heads = ['ID', 'NAME', 'E-MAIL', 'ROLE', 'STATE', `SIGNED IN (${local.timeZone})`]
  return { json: users, text: table(context.terminal, heads, rows, 'Nobody yet: sav users add') }
}

export async function changeRole(context: Context, id: string, role: Role): Promise<Output> {
  const user = await change(await context.api(), id, { role })
  return { json: user, text: page(context, user) }
}

export async function disableUser(context: Context, id: string, { yes }: { readonly yes?: true }): Promise<Output> {
  await confirm(context, { yes, question: `Disable ${id}? They are signed out everywhere.` })
  const user = await change(await context.api(), id, { actif: false })
  return { json: user, text: page(context, user) }
}

export async function enableUser(context: Context, id: string): Promise<Output> {
  const user = await change(await context.api(), id, { actif: true })
  return { json: user, text: page(context, user) }
}

const change = async (api: SavClient, user: string, body: UpdateUserInput) =>
  (await api.put('/api/v1/utilisateurs/{user}', { params: { user }, body })).data

export async function listSessions(context: Context, id: string, { end }: { readonly end?: true }): Promise<Output> {
  const api = await context.api()
  const params = { user: id }
  if (end) {
    const { data: ended } = await api.delete('/api/v1/utilisateurs/{user}/sessions', { params })
    return { json: ended, text: `Ended ${counted(ended.terminees, 'session')} of ${id}.` }
  }
  const { data: sessions } = await api.get('/api/v1/utilisateurs/{user}/sessions', { params })
  const local = peopleTime(context)
  const rows = sessions.map(({ id, methode, ip, date_creation, derniere_utilisation, expire_a, appareil }) => [
    id,
    methode,
    ip,
    local.at(date_creation),
    local.at(derniere_utilisation),
    local.at(expire_a),
    appareil,
  ])
  const heads = ['ID', 'BY', 'IP', `SIGNED IN (${local.timeZone})`, 'LAST USED', 'ENDS', 'DEVICE']
  return { json: sessions, text: table(context.terminal, heads, rows, 'Signed in nowhere.') }
}

const page = ({ terminal }: Context, { id, nom, email, role, actif }: UserView) =>
  fields(terminal, [
    ['User', id],
    ['Name', nom],
    ['E-mail', email],
    ['Role', role],
    ['State', actif ? 'active' : 'disabled'],
  ])
