import { randomBytes, X509Certificate } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { MessageImprint, PKIStatus, TimeStampReq, TimeStampReqVersion, TimeStampResp } from '@peculiar/asn1-tsp'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { sha256Form } from '@sav/core/adapter'
import type { StampVerifier, Timestamper } from '@sav/core/ports'
import { Agent, request } from 'undici'
import { readToken, type SignedStamp, signatureFault } from './stamp-signature.js'

/** The time-stamping authority (RFC 3161). */
export interface TimestamperOptions {
  /** The URL of the authority, `https://user:password@tsa.example/`: the password is sent as Basic authorization. */
  readonly url: string
  /** The time limit of a whole request, including connecting, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number
  /** As in StampVerifierOptions. A stamp of another authority is refused on arrival. */
  readonly ca?: string
}

/** The accepted authorities. */
export interface StampVerifierOptions {
  /**
   * PEM certificates of the accepted authorities, or of their roots. Without them a stamp is checked against the
   * certificate that it contains, from any authority.
   */
  readonly ca?: string
}

const id_sha256 = '2.16.840.1.101.3.4.2.1'

/** The maximum length of an answer. With the certificates of its authority, it has some thousand bytes. */
const maxBytes = 64 * 1024

/**
 * Requests stamps from an RFC 3161 authority over HTTP. Status, hash, nonce and signature of the answer are checked
 * before `stamp` resolves to the whole TimeStampResp. Saved in a file, it is accepted by `openssl ts -verify -digest
 * <hash> -in <file> -CAfile <root>`.
 * @throws RangeError for a malformed URL, without repeating it since it may contain a password, and for a malformed
 *   `ca`
 */
export function createTimestamper({
  url,
  timeoutMs = 10_000,
  ca,
}: TimestamperOptions): Timestamper & { close(): Promise<void> } {
  const target = URL.parse(url)
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new RangeError('the URL of the timestamp authority must be http or https')
  const authorities = authoritiesIn(ca)
  const { origin, pathname, search, username, password } = target
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const authorization = username === '' ? {} : { Authorization: `Basic ${credentials.toString('base64')}` }
  const agent = new Agent({ connect: { timeout: Math.min(5000, timeoutMs) } })

  async function ask(query: Uint8Array): Promise<Buffer> {
    const { statusCode, body } = await request(origin + pathname + search, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'Content-Type': 'application/timestamp-query',
        Accept: 'application/timestamp-reply',
        ...authorization,
      },
      body: query,
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (statusCode !== 200) {
      await body.dump({ limit: maxBytes }).catch(() => {})
      throw new TimestampError(`the timestamp authority answered ${statusCode}`)
    }
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of body) {
      chunks.push(Buffer.from(chunk))
      length += chunk.length
      if (length > maxBytes)
        throw new TimestampError(`the timestamp authority answered with more than ${maxBytes} bytes`)
    }
    return Buffer.concat(chunks)
  }

  return {
    async stamp(hash) {
      if (!sha256Form.test(hash)) throw new RangeError('a hash must be a SHA-256 in 64 lowercase hexadecimal digits')
      const digest = Buffer.from(hash, 'hex')
      const nonce = newNonce()
      const query = new TimeStampReq({
        version: TimeStampReqVersion.v1,
        messageImprint: new MessageImprint({
          hashAlgorithm: new AlgorithmIdentifier({ algorithm: id_sha256 }),
          hashedMessage: new OctetString(digest),
        }),
        nonce: arrayBuffer(nonce),
        certReq: true,
      })
      let answer: Buffer
      try {
        answer = await ask(new Uint8Array(AsnConvert.serialize(query)))
      } catch (error) {
        if (error instanceof TimestampError) throw error
        throw new TimestampError(wordsOn(error, timeoutMs), { cause: error })
      }
      check(answer, { digest, nonce, authorities })
      return answer
    },
    close: () => agent.destroy(),
  }
}

/** Why there is no time stamp, in plain words. */
export class TimestampError extends Error {}

/** Eight bytes that are a positive INTEGER in its shortest form. */
function newNonce(): Buffer {
  const nonce = randomBytes(8)
  nonce.writeUInt8((nonce.readUInt8(0) & 0x3f) | 0x40, 0)
  return nonce
}

/**
 * Verifies stamps of a timestamper.
 * @throws RangeError for a `ca` without a certificate
 */
export function createStampVerifier({ ca }: StampVerifierOptions = {}): StampVerifier {
  const authorities = authoritiesIn(ca)
  return {
    async check(token, hash) {
      try {
        check(token, { digest: Buffer.from(hash, 'hex'), nonce: null, authorities })
        return null
      } catch (error) {
        if (error instanceof TimestampError) return error.message
        throw error
      }
    },
  }
}

function authoritiesIn(ca: string | undefined): X509Certificate[] {
  if (ca === undefined) return []
  const found = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    if (found.length > 0) return found.map((pem) => new X509Certificate(pem))
  } catch {
    // One of the blocks is not a certificate. The error below says so.
  }
  throw new RangeError('the certificate of the timestamp authority must be in PEM format')
}

interface ExpectedStamp {
  readonly digest: Buffer
  /** The nonce of the request; null if it is not known. */
  readonly nonce: Buffer | null
  readonly authorities: readonly X509Certificate[]
}

/** @throws TimestampError unless the answer grants a stamp of this hash, for this request, and is signed. */
function check(answer: Uint8Array, { digest, nonce, authorities }: ExpectedStamp): void {
  const { status, stamp } = parsed(answer)
  if (status.status !== PKIStatus.granted && status.status !== PKIStatus.grantedWithMods) {
    const said = Array.from(status.statusString ?? []).join(' ')
    throw new TimestampError(
      `the timestamp authority refused: status ${status.status}${said === '' ? '' : `, ${said}`}`,
    )
  }
  if (stamp === null) throw new TimestampError('the timestamp authority answered without a timestamp')
  const { info } = stamp
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  if (hashAlgorithm.algorithm !== id_sha256 || !Buffer.from(hashedMessage.buffer).equals(digest))
    throw new TimestampError('the timestamp is for another hash')
  if (nonce !== null && (info.nonce === undefined || !Buffer.from(info.nonce).equals(nonce)))
    throw new TimestampError('the timestamp answers another request: its nonce differs')
  const fault = faultOf(stamp, authorities)
  if (fault !== null) throw new TimestampError(fault)
}

function faultOf(stamp: SignedStamp, authorities: readonly X509Certificate[]): string | null {
  try {
    return signatureFault(stamp, authorities)
  } catch (cause) {
    throw new TimestampError('the signature of the timestamp cannot be read', { cause })
  }
}

function parsed(answer: Uint8Array): { status: TimeStampResp['status']; stamp: SignedStamp | null } {
  try {
    const { status, timeStampToken } = AsnConvert.parse(arrayBuffer(answer), TimeStampResp)
    return { status, stamp: timeStampToken === undefined ? null : readToken(timeStampToken) }
  } catch (cause) {
    throw new TimestampError('the answer of the timestamp authority is not an RFC 3161 response', { cause })
  }
}

/** A copy with its own buffer, since the library reads a buffer from its beginning. */
const arrayBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

function wordsOn(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `the timestamp authority did not answer within ${timeoutMs / 1000} s`
  return 'the timestamp authority cannot be reached'
}
