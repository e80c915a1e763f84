import { createHash } from 'node:crypto'
import { dialled } from '@sav/core/feature'
import { fold } from '@sav/core/ports'

/** The data by which a person is recognised. */
interface Contact {
  readonly nom: string
  readonly prenom: string
  readonly email?: string | null | undefined
  readonly telephone?: string | null | undefined
  readonly adresse?: string | null | undefined
}

/**
 * Finds people with the same e-mail address, or the same name and telephone. It stores only digests, and the id of each
 * client.
 */
export class KnownPeople {
  readonly #before: KnownPeople | null
  readonly #ids = new Map<number, number | null>()

  /** @param before people who are already known. New people are recorded only in this object, not in `before`. */
  constructor(before: KnownPeople | null) {
    this.#before = before
  }

  /** @returns the client's id; null: not added yet; undefined: not seen before */
  find(contact: Contact): number | null | undefined {
    const before = this.#before?.find(contact)
    if (before !== undefined) return before
    return digestsOf(contact)
      .map((digest) => this.#ids.get(digest))
      .find((id) => id !== undefined)
  }

  add(contact: Contact, id: number | null): void {
    for (const digest of digestsOf(contact)) if ((this.#ids.get(digest) ?? null) === null) this.#ids.set(digest, id)
  }
}

/** The first 53 bits of a SHA-256: as many as fit into a number. */
const digestsOf = (contact: Contact): number[] =>
  keysOf(contact).map((key) => {
    const digest = createHash('sha256').update(key).digest()
    return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) >> 3)
  })

/**
 * The keys by which a person is recognised. A person without e-mail and telephone has a key of name and address, so
 * that a file read twice adds each person once.
 */
function keysOf({ nom, prenom, email, telephone, adresse }: Contact): string[] {
  const name = fold(`${nom}\n${prenom}`)
  const keys = email ? [`mail ${email.toLowerCase()}`] : []
  if (telephone) keys.push(`tel ${dialled(telephone) ?? telephone.replace(/\D/g, '')} ${name}`)
  else if (!email) keys.push(`bare ${name}\n${fold(adresse ?? '')}`)
  return keys
}
