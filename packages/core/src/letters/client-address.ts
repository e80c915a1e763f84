import type { LetterFailure } from '../receivers/failures.js'
import { e164 } from '../values/telephone.js'
import type { LetterChannel } from './letter.js'
import { NoLetter } from './letter-channel.js'

interface Addressee {
  readonly id: number
  readonly email: string | null
  readonly telephone: string | null
  readonly whatsapp_depuis: string | null
}

type Reach = { readonly address: string } | { readonly code: LetterFailure; readonly missing: string }

/** The address of a client on each channel; channels not listed here use the telephone. */
const reach: Readonly<Record<string, (client: Addressee) => Reach>> = {
  email: ({ id, email }) =>
    email === null
      ? {
          code: 'letter_no_email',
          missing: `no e-mail address on file for client ${id}: add it, then retry this delivery`,
        }
      : { address: email },
  whatsapp: (client) =>
    client.whatsapp_depuis === null
      ? { code: 'letter_no_whatsapp', missing: `client ${client.id} has not agreed to WhatsApp: it goes by e-mail` }
      : byTelephone(client),
}

function byTelephone({ id, telephone }: Addressee): Reach {
  if (telephone === null)
    return {
      code: 'letter_no_telephone',
      missing: `no telephone number on file for client ${id}: add it, then retry this delivery`,
    }
  const address = e164(telephone)
  const wrong = `the telephone number of client ${id} cannot be dialled: correct it, then retry this delivery`
  return address === null ? { code: 'letter_telephone_unusable', missing: wrong } : { address }
}

const reachOf = (client: Addressee, channel: LetterChannel) => (reach[channel] ?? byTelephone)(client)

/**
 * An e-mail address, or a number in E.164 form. @throws NoLetter, with the remedy, if this channel does not reach the
 * client
 */
export function addressOf(client: Addressee, channel: LetterChannel): string {
  const found = reachOf(client, channel)
  if ('missing' in found) throw new NoLetter(found.code, found.missing)
  return found.address
}

/** The client's name in a letter: only the company's if there is no first name. */
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

/** The `configured` channels that currently reach the client. */
export const channelsThatReach = (client: Addressee, configured: readonly LetterChannel[]): LetterChannel[] =>
  configured.filter((channel) => 'address' in reachOf(client, channel))
