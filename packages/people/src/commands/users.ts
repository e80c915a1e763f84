import {
  baseOf,
  type Column,
  type CommandOutput,
  type Context,
  confirm,
  counted,
  fields,
  inAccount,
  openInProgram,
  peopleTime,
  wholeLink,
  wholeList,
} from '@sav/command/feature'
import type { SavClient } from '@sav/http-node/client'
import type { AddUserInput, UpdateUserInput, UserView } from '../users/user.js'

export async function addUser(context: Context, body: AddUserInput): Promise<CommandOutput> {
  const { data: user } = await (await context.api()).post('/api/v1/utilisateurs', { body })
  return {
    json: user,
    text: `${page(context, user)}\n\nThe first sign-in needs a link: ${inAccount(`sav users invite ${user.id}`, context.account)}`,
  }
}

interface InviteOptions {
  readonly open?: true
  readonly mail?: true
}

export async function inviteUser(context: Context, id: string, { open, mail }: InviteOptions): Promise<CommandOutput> {
  const api = await context.api()
  const body = { canal: mail ? 'email' : 'lien' } as const
  const { data: answer } = await api.post('/api/v1/utilisateurs/{user}/inviter', { params: { user: id }, body })
  const invitation = answer.canal === 'lien' ? { ...answer, url: wholeLink(answer.url, await baseOf(context)) } : answer
  if (invitation.canal === 'email') {
    const { email, livraison } = invitation
    const fate = inAccount(`sav webhooks show ${livraison}`, context.account)
    return {
      json: invitation,
      text: `A link will be sent to ${email}. It works for 15 minutes after it is sent. To see its delivery: ${fate}`,
    }
  }
  if (open) await openInProgram(context, invitation.url)
  const local = peopleTime(context)
  const lines = [
    ['Link', invitation.url],
    ['Until', local.zoned(invitation.expire_a)],
  ] as const
  const once = 'The link signs in the first person who opens it, and works once. Give it to nobody else.'
  return { json: invitation, text: `${fields(context.terminal, lines)}\n\n${once}` }
}

export async function listUsers(context: Context): Promise<CommandOutput> {
  const { data: users } = await (await context.api()).get('/api/v1/utilisateurs')
  const local = peopleTime(context)
  const columns: Column<UserView>[] = [
    { field: 'id', head: 'ID', cell: ({ id }) => id, whole: true },
    { field: 'nom', head: 'NAME', cell: ({ nom }) => nom },
    { field: 'email', head: 'E-MAIL', cell: ({ email }) => email },
    { field: 'role', head: 'ROLE', cell: ({ role }) => role, whole: true },
    { field: 'actif', head: 'STATE', cell: ({ actif }) => (actif ? 'active' : 'disabled'), whole: true },
    {
      field: 'derniere_connexion',
      head: `SIGNED IN (${local.timeZone})`,
      cell: ({ derniere_connexion }) => local.at(derniere_connexion),
      whole: true,
      spare: true,
    },
  ]
  return wholeList(context, { columns, empty: `No user yet: ${inAccount('sav users add', context.account)}` }, users)
}

export async function changeRole(
  context: Context,
  id: string,
  role: UserView['role'],
  installer: Pick<UpdateUserInput, 'poseur_id'>,
): Promise<CommandOutput> {
  const user = await change(await context.api(), id, { role, ...installer })
  return { json: user, text: page(context, user) }
}

export async function disableUser(
  context: Context,
  id: string,
  { yes }: { readonly yes?: true },
): Promise<CommandOutput> {
  await confirm(context, { yes, question: `Disable ${id}? This ends all sessions of that person.` })
  const user = await change(await context.api(), id, { actif: false })
  return { json: user, text: page(context, user) }
}

export async function enableUser(context: Context, id: string): Promise<CommandOutput> {
  const user = await change(await context.api(), id, { actif: true })
  return { json: user, text: page(context, user) }
}

const change = async (api: SavClient, user: string, body: UpdateUserInput) =>
  (await api.put('/api/v1/utilisateurs/{user}', { params: { user }, body })).data

export async function listSessions(
  context: Context,
  id: string,
  { end }: { readonly end?: true },
): Promise<CommandOutput> {
  const api = await context.api()
  const params = { user: id }
  if (end) {
    const { data: ended } = await api.delete('/api/v1/utilisateurs/{user}/sessions', { params })
    return { json: ended, text: `Ended ${counted(ended.terminees, 'session')} of ${id}.` }
  }
  const { data: sessions } = await api.get('/api/v1/utilisateurs/{user}/sessions', { params })
  const local = peopleTime(context)
  const columns: Column<(typeof sessions)[number]>[] = [
    { field: 'id', head: 'ID', cell: (session) => session.id },
    { field: 'methode', head: 'BY', cell: ({ methode }) => methode },
    { field: 'ip', head: 'IP', cell: ({ ip }) => ip },
    {
      field: 'date_creation',
      head: `SIGNED IN (${local.timeZone})`,
      cell: (row) => local.at(row.date_creation),
      ...timed,
    },
    {
      field: 'derniere_utilisation',
      head: 'LAST USED',
      cell: (row) => local.at(row.derniere_utilisation),
      whole: true,
    },
    { field: 'expire_a', head: 'ENDS', cell: (row) => local.at(row.expire_a), ...timed },
    { field: 'appareil', head: 'DEVICE', cell: ({ appareil }) => appareil },
  ]
  return wholeList(context, { columns, empty: 'No session.' }, sessions)
}

const timed = { whole: true, spare: true } as const

export async function listDevices(
  context: Context,
  id: string,
  { end, yes }: { readonly end?: string; readonly yes?: true },
): Promise<CommandOutput> {
  const api = await context.api()
  const { data: devices } = await api.get('/api/v1/utilisateurs/{user}/appareils', { params: { user: id } })
  if (end !== undefined) {
    const unsent = devices.find((device) => device.id === end)?.en_attente ?? 0
    const loss = unsent === 0 ? '' : ` It has reported ${counted(unsent, 'unsent write')}, which would be lost.`
    await confirm(context, { yes, question: `Sign out phone ${end}? Its data is erased at its next contact.${loss}` })
    const params = { user: id, appareil: end }
    await api.delete('/api/v1/utilisateurs/{user}/appareils/{appareil}', { params })
    return { json: { id: end, terminee: true }, text: `Ended ${end}.` }
  }
  const local = peopleTime(context)
  const columns: Column<(typeof devices)[number]>[] = [
    { field: 'id', head: 'ID', cell: (device) => device.id, whole: true },
    { field: 'nom', head: 'PHONE', cell: ({ nom }) => nom },
    {
      field: 'dernier_contact',
      head: `LAST CONTACT (${local.timeZone})`,
      cell: (row) => local.at(row.dernier_contact),
      whole: true,
    },
    { field: 'en_attente', head: 'UNSENT', cell: ({ en_attente }) => en_attente },
    { field: 'expire_a', head: 'ENDS', cell: (row) => local.at(row.expire_a), ...timed },
  ]
  return wholeList(context, { columns, empty: 'No phone in the field.' }, devices)
}

const page = ({ terminal }: Context, { id, nom, email, role, actif }: UserView) =>
  fields(terminal, [
    ['User', id],
    ['Name', nom],
    ['E-mail', email],
    ['Role', role],
    ['State', actif ? 'active' : 'disabled'],
  ])
