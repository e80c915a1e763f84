import { e164 } from '../values/telephone.js'
import type { LetterChannel } from './letter.js'
import { NoLetter } from './letter-channel.js'

interface Addressee {
  readonly id: number
  readonly email: string | null
  readonly telephone: string | null
  readonly whatsapp_depuis: string | null
}

/** An e-mail address, or a number in the form of E.164. @throws NoLetter where this channel does not reach the client, with the remedy */
export function addressOf({ id, email, telephone, whatsapp_depuis }: Addressee, channel: LetterChannel): string {
  if (channel === 'email') {
    if (email !== null) return email
    throw new NoLetter(`no e-mail address on file for client ${id}: add it, then retry this delivery`)
  }
  if (whatsapp_depuis === null) throw new NoLetter(`client ${id} has not agreed to WhatsApp: the e-mail carries it`)
  if (telephone === null)
    throw new NoLetter(`no telephone number on file for client ${id}: add it, then retry this delivery`)
  const number = e164(telephone)
  if (number === null)
    throw new NoLetter(
      `the telephone of client ${id} is no number that can be dialled: correct it, then retry this delivery`,
    )
  return number
}

/** The name of a client in a letter: the company's alone if there is no first name. */
export const addressee = ({
  nom,
  prenom,
  raison_sociale,
}: {
  readonly nom: string
  readonly prenom: string
  readonly raison_sociale?: string | null
}): { readonly nom: string; readonly prenom: string } => ({
  nom: prenom === '' ? (raison_sociale ?? nom) : nom,
  prenom,
})

/** The `configured` channels that reach the client by the present data. */
export const channelsThatReach = (client: Addressee, configured: readonly LetterChannel[]): LetterChannel[] =>
  configured.filter((channel) =>
    channel === 'email'
      ? client.email !== null
      : client.whatsapp_depuis !== null && client.telephone !== null && e164(client.telephone) !== null,
  )
