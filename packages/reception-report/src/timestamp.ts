import { randomBytes } from 'node:crypto'
import { id_signedData, SignedData } from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  id_ct_tstInfo,
  MessageImprint,
  PKIStatus,
  TimeStampReq,
  TimeStampReqVersion,
  TimeStampResp,
  TSTInfo,
} from '@peculiar/asn1-tsp'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import type { Timestamper } from '@sav/core/ports'
import { Agent, request } from 'undici'

export interface TimestamperOptions {
  /** Where the authority answers, `https://user:password@tsa.example/`: a password is sent as Basic authorization. */
  readonly url: string
  /** A whole request, connect included; 10 s by default. */
  readonly timeoutMs?: number
}

const id_sha256 = '2.16.840.1.101.3.4.2.1'

/** An answer with the certificates of its authority has some thousand bytes. */
const maxBytes = 64 * 1024

/**
 * Asks an RFC 3161 authority over HTTP. What `stamp` resolves to is the whole TimeStampResp: kept in a file,
 * `openssl ts -verify -digest <hash> -in <file> -CAfile <root>` accepts it. The signature is left to that: of the answer
 * only status, hash and nonce are checked here.
 * @throws RangeError for a URL that is none; it never says the URL, which may hold a password
 */
export function createTimestamper({
  url,
  timeoutMs = 10_000,
}: TimestamperOptions): Timestamper & { close(): Promise<void> } {
  const target = URL.parse(url)
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new RangeError('a timestamp authority has an http or https URL')
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
      if (!/^[0-9a-f]{64}$/.test(hash)) throw new RangeError('a SHA-256 has 64 hexadecimal digits')
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
      check(answer, digest, nonce)
      return answer
    },
    close: () => agent.destroy(),
  }
}

/** Why there is no timestamp, in plain words. */
export class TimestampError extends Error {}

/** Eight bytes that are a positive INTEGER in their shortest form. */
function newNonce(): Buffer {
  const nonce = randomBytes(8)
  nonce.writeUInt8((nonce.readUInt8(0) & 0x3f) | 0x40, 0)
  return nonce
}

/** @throws TimestampError unless the answer grants a stamp of this very hash, for this very question. */
function check(answer: Uint8Array, digest: Buffer, nonce: Buffer): void {
  const { status, info } = parsed(answer)
  if (status.status !== PKIStatus.granted && status.status !== PKIStatus.grantedWithMods) {
    const said = Array.from(status.statusString ?? []).join(' ')
    throw new TimestampError(
      `the timestamp authority refused: status ${status.status}${said === '' ? '' : `, ${said}`}`,
    )
  }
  if (info === null) throw new TimestampError('the timestamp authority answered without a timestamp')
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  if (hashAlgorithm.algorithm !== id_sha256 || !Buffer.from(hashedMessage.buffer).equals(digest))
    throw new TimestampError('the timestamp is of another hash')
  if (info.nonce === undefined || !Buffer.from(info.nonce).equals(nonce))
    throw new TimestampError('the timestamp answers another question: its nonce differs')
}

function parsed(answer: Uint8Array): { status: TimeStampResp['status']; info: TSTInfo | null } {
  try {
    const { status, timeStampToken } = AsnConvert.parse(arrayBuffer(answer), TimeStampResp)
    if (timeStampToken === undefined) return { status, info: null }
    if (timeStampToken.contentType !== id_signedData) throw new TypeError('no signed data')
    const { eContentType, eContent } = AsnConvert.parse(timeStampToken.content, SignedData).encapContentInfo
    const content = eContent?.single
    if (eContentType !== id_ct_tstInfo || content === undefined) throw new TypeError('no timestamp inside')
    return { status, info: AsnConvert.parse(content.buffer, TSTInfo) }
  } catch (cause) {
    throw new TimestampError('the answer of the timestamp authority is no RFC 3161 response', { cause })
  }
}

/** The library reads buffers from their beginning. */
const arrayBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

function wordsOn(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `the timestamp authority did not answer within ${timeoutMs / 1000} s`
  return 'the timestamp authority cannot be reached'
}
