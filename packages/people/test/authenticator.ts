import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** The flags of an answer: user present, user verified. */
const present = 0x05
const attested = 0x40

/** An authenticator in software (WebAuthn Level 3): one passkey on ES256, made for one host. */
export function authenticator({ rp_id, origin }: { readonly rp_id: string; readonly origin: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  let counter = 0

  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  )

  function authData(flags: number, ...rest: Uint8Array[]): Buffer {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rp_id), head, ...rest])
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const common = { id: base64url(credentialId), rawId: base64url(credentialId), type: 'public-key' }

  return {
    /** `navigator.credentials.create` */
    create(challenge: string) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const data = authData(present | attested, Buffer.alloc(16), length, credentialId, cose)
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(data)],
      ])
      const attestationObject = base64url(isoCBOR.encode(attestation))
      const clientDataJSON = base64url(clientData('webauthn.create', challenge))
      return {
        ...common,
        response: { clientDataJSON, attestationObject, transports: ['internal'] },
        clientExtensionResults: {},
      }
    },
    /** `navigator.credentials.get` */
    get(challenge: string) {
      counter += 1
      const data = authData(present)
      const client = clientData('webauthn.get', challenge)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...common,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: null,
        },
        clientExtensionResults: {},
      }
    },
  }
}
