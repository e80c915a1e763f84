import { createHash } from 'node:crypto'
import { dialled } from '@sav/core/internal'
import { fold } from '@sav/core/ports'

/** The fields by which a person is recognised. */
export interface Contact {
  readonly nom: string
  readonly prenom: string
  readonly email?: string | null | undefined
  readonly telephone?: string | null | undefined
  readonly adresse?: string | null | undefined
}

/**
 * People by number, found again by the same e-mail address, or by the same name and telephone. Digests of 64 bits in arrays
 * of numbers: of each of hundreds of thousands of people a Map of texts keeps ten times as much.
 */
export class ContactIndex {
  #digests = new Uint32Array(2048)
  /** Each after the digest of the same place; 0: none. */
  #people = new Uint32Array(1024)
  #used = 0

  /** @returns the number that was added; undefined: not seen before */
  find(contact: Contact): number | undefined {
    for (const digest of digestsOf(contact)) {
      const found = this.#people[this.#placeOf(digest)]
      if (found) return found
    }
    return undefined
  }

  /** @param who above 0 */
  add(contact: Contact, who: number): void {
    for (const digest of digestsOf(contact)) {
      if (2 * this.#used >= this.#people.length) this.#grow()
      const place = this.#placeOf(digest)
      if (this.#people[place] === 0) this.#put(place, digest, who)
    }
  }

  /** Where a digest is, or would be. */
  #placeOf([high, low]: Digest): number {
    const last = this.#people.length - 1
    let place = low & last
    while (this.#people[place] !== 0 && !(this.#digests[2 * place] === high && this.#digests[2 * place + 1] === low))
      place = (place + 1) & last
    return place
  }

  #put(place: number, digest: Digest, who: number): void {
    this.#digests.set(digest, 2 * place)
    this.#people[place] = who
    this.#used += 1
  }

  #grow(): void {
    const [digests, people] = [this.#digests, this.#people]
    this.#digests = new Uint32Array(2 * digests.length)
    this.#people = new Uint32Array(2 * people.length)
    this.#used = 0
    for (const [place, who] of people.entries()) {
      const digest: Digest = [digests[2 * place] ?? 0, digests[2 * place + 1] ?? 0]
      if (who !== 0) this.#put(this.#placeOf(digest), digest, who)
    }
  }
}

type Digest = readonly [high: number, low: number]

function digestsOf(contact: Contact): Digest[] {
  return keysOf(contact).map((key) => {
    const digest = createHash('sha256').update(key).digest()
    return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
  })
}

/** The keys of a person. Without e-mail and telephone it is name and address: a file that is read twice adds each person once. */
function keysOf({ nom, prenom, email, telephone, adresse }: Contact): string[] {
  const name = fold(`${nom}\n${prenom}`)
  const keys = email ? [`mail ${email.toLowerCase()}`] : []
  if (telephone) keys.push(`tel ${dialled(telephone) ?? telephone.replace(/\D/g, '')} ${name}`)
  else if (!email) keys.push(`bare ${name}\n${fold(adresse ?? '')}`)
  return keys
}
