import { fold } from '@sav/core'

/** By what somebody is known again. */
export interface Contact {
  readonly nom: string
  readonly prenom: string
  readonly email?: string | null | undefined
  readonly telephone?: string | null | undefined
  readonly adresse?: string | null | undefined
}

/** People who were seen, found again by the same e-mail address, or by the same name and telephone. */
export class Seen<T> {
  readonly #byKey = new Map<string, T>()

  /** Who that is; undefined: nobody seen before. */
  find(contact: Contact): T | undefined {
    for (const key of keysOf(contact)) {
      const found = this.#byKey.get(key)
      if (found !== undefined) return found
    }
    return undefined
  }

  add(contact: Contact, who: T): void {
    for (const key of keysOf(contact)) if (!this.#byKey.has(key)) this.#byKey.set(key, who)
  }
}

/** Who gave neither is known by name and address, so that a file which is read twice adds nobody twice. */
function keysOf({ nom, prenom, email, telephone, adresse }: Contact): string[] {
  const name = fold(`${nom}\n${prenom}`)
  const keys = email ? [`mail ${email.toLowerCase()}`] : []
  if (telephone) keys.push(`tel ${national(telephone)} ${name}`)
  else if (!email) keys.push(`bare ${name}\n${fold(adresse ?? '')}`)
  return keys
}

/** `+33 6 12…`, `0033612…` and `06 12…` are one number. */
const national = (telephone: string): string => telephone.replace(/[^\d+]/g, '').replace(/^(?:\+|00)33(?:0)?/, '0')
