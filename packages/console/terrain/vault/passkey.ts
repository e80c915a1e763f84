import { lockBySecret, type NewLock, openBySecret, type PasskeyLock, random } from './keys.js'

interface PasskeyAnswer {
  readonly credential: ArrayBuffer
  /** The passkey's answer to the question; null if the passkey does not support PRF. */
  readonly secret: ArrayBuffer | null
}

/** Asks a passkey of this service on this phone, without a network. @throws DOMException when the user declines it */
async function ask(question: BufferSource, credential?: ArrayBuffer): Promise<PasskeyAnswer> {
  const found = await navigator.credentials.get({
    publicKey: {
      // The signature is not checked: only the passkey's answer to the question counts.
      challenge: random(32),
      userVerification: 'required',
      ...(credential && { allowCredentials: [{ type: 'public-key', id: credential }] }),
      extensions: { prf: { eval: { first: question } } },
    },
  })
  if (!(found instanceof PublicKeyCredential)) throw new Error('no passkey answered')
  const { first } = found.getClientExtensionResults().prf?.results ?? {}
  return { credential: found.rawId, secret: first === undefined ? null : bytesOf(first) }
}

const bytesOf = (source: BufferSource): ArrayBuffer =>
  source instanceof ArrayBuffer
    ? source
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice().buffer

/** Creates a lock by a passkey. Null: this passkey cannot store a key. */
export async function lockByPasskey(): Promise<NewLock<PasskeyLock> | null> {
  const question = random(32)
  const { credential, secret } = await ask(question)
  return secret === null ? null : lockBySecret({ credential, question }, secret)
}

export async function openByPasskey(lock: PasskeyLock): Promise<CryptoKey | null> {
  const { secret } = await ask(lock.question, lock.credential)
  return secret === null ? null : openBySecret(lock, secret)
}

export const mayHavePasskey = (): boolean => typeof PublicKeyCredential === 'function'
