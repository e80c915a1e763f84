import { SignInRefusedError } from '@sav/core'
import { type FindKey, sha256Of, signedTexts, toInstant } from '@sav/core/feature'
import type { Clock, Random, Transaction } from '@sav/core/ports'
import { sessionStore } from '../sessions/session-store.js'
import { newChallenge } from './beginning.js'

/**
 * Challenges that begin a sign-in. Each is signed for its method, so that nothing is stored before it is answered: an
 * unfinished sign-in leaves no row.
 */
export interface Challenges {
  /** A challenge in base64url, valid for this many milliseconds. */
  make(methode: ChallengeMethod, goodMs: number): string
  /** @throws SignInRefusedError for a challenge that was not created here, is for another method, or has expired */
  check(methode: ChallengeMethod, challenge: string): void
  /** The same, but only once: a used challenge is stored until it expires. @throws SignInRefusedError */
  use(tx: Transaction, methode: ChallengeMethod, challenge: string): Promise<void>
}

type ChallengeMethod = 'passkey' | 'oidc'

export interface ChallengesDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly secretKey: Uint8Array
  readonly findSecretKey: FindKey | undefined
}

export function createChallenges({ clock, random, secretKey, findSecretKey }: ChallengesDeps): Challenges {
  const texts = signedTexts({ secretKey, findKey: findSecretKey, purpose: 'sav sign-in', version: 's1' })

  function opened(methode: ChallengeMethod, challenge: string) {
    const text = texts.open(methode, Buffer.from(challenge, 'base64url').toString())
    if (text === null) throw new SignInRefusedError()
    const expire_a = toInstant(Number(text.split(' ')[1]))
    if (expire_a <= toInstant(clock.now())) throw new SignInRefusedError('expired')
    return { text, expire_a }
  }

  return {
    make(methode, goodMs) {
      const text = `${newChallenge(random)} ${clock.now() + goodMs}`
      return Buffer.from(texts.sign(methode, text)).toString('base64url')
    },
    check: (methode, challenge) => void opened(methode, challenge),
    async use(tx, methode, challenge) {
      const { text, expire_a } = opened(methode, challenge)
      // The hash is of the signed text, since a challenge can be spelt in several ways.
      const used = { hash: sha256Of(text), methode, account_id: null, user_id: null, expire_a }
      if (!(await tx.of(sessionStore).addAttempt(used))) throw new SignInRefusedError('expired')
    },
  }
}
