import {
  CommandError,
  type CommandOutput,
  type Context,
  fields,
  inAccount,
  oneLine,
  peopleTime,
  wholeLink,
} from '@sav/command/feature'
import QRCode from 'qrcode'
import type { UserView } from '../users/user.js'

/** A link that signs an installer in on a phone, in the installers' app, and its QR code for the phone's camera. */
export async function fieldLink(context: Context, id: string): Promise<CommandOutput> {
  const { remote, settings, terminal } = context
  const base = remote === null ? settings.publicUrl : remote.url
  // Checked before the link is created, since a new link ends the previous one. A remote service is checked later, by
  // the address in its link, which may differ from the one at which it was called.
  if (remote === null && !isSecure(base)) throw notForPhones(base)
  const api = await context.api()
  const { data: user } = await api.get('/api/v1/utilisateurs/{user}', { params: { user: id } })
  if (user.role !== 'poseur') throw notAnInstaller(context, user)
  const { data: invitation } = await api.post('/api/v1/utilisateurs/{user}/inviter', {
    params: { user: id },
    body: { canal: 'lien' },
  })
  if (invitation.canal !== 'lien') throw new Error(`asked for a link, but got ${invitation.canal}`)
  const url = wholeLink(invitation.url, base)
  if (!isSecure(url)) throw notForPhones(new URL(url).origin)
  const code = await QRCode.toString(url, { type: 'utf8', errorCorrectionLevel: 'L', margin: 2 })
  const local = peopleTime(context)
  const lines = [
    ['Link', url],
    ['Until', local.zoned(invitation.expire_a)],
  ] as const
  const text = [
    // Dark on light, whatever the terminal's colours.
    ...code.split('\n').map((line) => terminal.style('bgWhiteBright', terminal.style('black', line))),
    fields(terminal, lines),
    '',
    `${oneLine(user.nom)} scans it with the phone's camera. The link signs in the first person who opens it, and works once. Show it to nobody else.`,
  ]
  return { json: { url, expire_a: invitation.expire_a }, text: text.join('\n') }
}

const isSecure = (url: string | null): boolean => url !== null && new URL(url).protocol === 'https:'

function notForPhones(url: string | null): CommandError {
  const found = url === null ? 'SAV_PUBLIC_URL is not set' : `people reach this service at ${url}`
  return new CommandError(
    'needs_https',
    `A phone cannot use this service: ${found}. Browsers let a page sign people in, encrypt and work offline only over https. Put the service behind a proxy with a certificate, and set SAV_PUBLIC_URL to its https address.`,
  )
}

function notAnInstaller({ account }: Context, { id, nom, role }: UserView): CommandError {
  return new CommandError(
    'not_an_installer',
    `${oneLine(nom)} has the role ${role}, but the pages for the field are for installers. To change it: \`${inAccount(`sav users role ${id} poseur --poseur-id N`, account)}\`.`,
  )
}
