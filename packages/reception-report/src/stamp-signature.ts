import { createHash, hash, type KeyObject, verify, X509Certificate } from 'node:crypto'
import {
  type CertificateChoices,
  id_contentType,
  id_messageDigest,
  id_signedData,
  SignedData,
  type SignerInfo,
} from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { id_ct_tstInfo, type TimeStampToken, TSTInfo } from '@peculiar/asn1-tsp'

/** The content of a time stamp, and its signer. */
export interface SignedStamp {
  readonly info: TSTInfo
  readonly signature: StampSignature
}

interface StampSignature {
  readonly content: Uint8Array
  readonly signers: readonly SignerInfo[]
  readonly certificates: readonly X509Certificate[]
}

/** @throws Error when the token is not a signed time stamp */
export function readToken(token: TimeStampToken): SignedStamp {
  if (token.contentType !== id_signedData) throw new TypeError('the token has no signed data')
  const { encapContentInfo, signerInfos, certificates } = AsnConvert.parse(token.content, SignedData)
  const content = encapContentInfo.eContent?.single
  if (encapContentInfo.eContentType !== id_ct_tstInfo || content === undefined)
    throw new TypeError('the token contains no timestamp')
  const signature = {
    content: new Uint8Array(content.buffer),
    signers: [...signerInfos],
    certificates: [...(certificates ?? [])].flatMap(asCertificate),
  }
  return { info: AsnConvert.parse(content.buffer, TSTInfo), signature }
}

const asCertificate = ({ certificate }: CertificateChoices): X509Certificate[] =>
  certificate === undefined ? [] : [new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)))]

/** The extended key usage of a time-stamping authority (RFC 3161 §2.3). */
const timeStamping = '1.3.6.1.5.5.7.3.8'

/** DER of the object identifier id-ct-TSTInfo. */
const tstInfoType = '060b2a864886f70d0109100104'

/** Digests by their object identifiers. */
const digests: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/**
 * What is wrong with the signature of a stamp (RFC 5652 §5.4, §5.6), as one sentence; null if it is valid.
 * @param authorities the accepted authorities. If empty, any signer is accepted
 */
export function signatureFault(
  { info, signature: { content, signers, certificates } }: SignedStamp,
  authorities: readonly X509Certificate[],
): string | null {
  const [signer] = signers
  if (signer === undefined || signers.length > 1) return `the timestamp has ${signers.length} signatures instead of one`
  const digest = digests[signer.digestAlgorithm.algorithm]
  if (digest === undefined) return `the timestamp has an unknown digest algorithm, ${signer.digestAlgorithm.algorithm}`
  const { signedAttrs = [] } = signer
  const attribute = (type: string) => signedAttrs.find(({ attrType }) => attrType === type)?.attrValues[0]
  const [type, said] = [attribute(id_contentType), attribute(id_messageDigest)]
  if (type === undefined || said === undefined) return 'the signature of the timestamp does not cover its content'
  if (Buffer.from(type).toString('hex') !== tstInfoType) return 'the signature is not that of a timestamp'
  const actual = createHash(digest).update(content).digest()
  if (!actual.equals(Buffer.from(AsnConvert.parse(said, OctetString).buffer)))
    return 'the content of the timestamp is not what was signed'

  const known = [...certificates, ...authorities]
  const certificate = known.find((one) => isOf(one, signer))
  if (certificate === undefined) return 'the timestamp lacks the certificate of its authority'
  if (
    !isSigned(
      setOf(signedAttrs.map((one) => Buffer.from(AsnConvert.serialize(one)))),
      digest,
      certificate.publicKey,
      Buffer.from(signer.signature.buffer),
    )
  )
    return 'the signature of the timestamp does not match'
  if (!(certificate.keyUsage ?? []).includes(timeStamping)) return 'the certificate does not allow signing timestamps'
  if (!isValidAt(certificate, info.genTime)) return 'the certificate was not valid at the time of the timestamp'
  if (authorities.length === 0) return null
  return leadsTo(certificate, { certificates, authorities, at: info.genTime })
    ? null
    : 'the timestamp is not signed by a configured authority'
}

/** DER of a SET OF (X.690 §11.6): the signed attributes, which have another tag in the signature. */
function setOf(members: readonly Buffer[]): Buffer {
  const content = Buffer.concat(members.toSorted((a, b) => a.compare(b)))
  const length = content.length
  if (length < 0x80) return Buffer.concat([Buffer.from([0x31, length]), content])
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x31, 0x80 | bytes.length]), bytes, content])
}

function isOf(certificate: X509Certificate, { sid }: SignerInfo): boolean {
  const { issuerAndSerialNumber, subjectKeyIdentifier } = sid
  if (issuerAndSerialNumber !== undefined) {
    const serial = Buffer.from(issuerAndSerialNumber.serialNumber).toString('hex')
    return withoutZeros(certificate.serialNumber) === withoutZeros(serial)
  }
  if (subjectKeyIdentifier === undefined) return false
  const keyId = Buffer.from(subjectKeyIdentifier.buffer)
  return certificate.raw.includes(keyId)
}

const withoutZeros = (hex: string) => hex.toLowerCase().replace(/^0+/, '')

function isSigned(data: Buffer, digest: string, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(key.asymmetricKeyType === 'ed25519' ? null : digest, data, key, signature)
  } catch {
    return false
  }
}

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: Date) =>
  at.getTime() >= validFromDate.getTime() && at.getTime() <= validToDate.getTime()

interface Path {
  readonly certificates: readonly X509Certificate[]
  readonly authorities: readonly X509Certificate[]
  readonly at: Date
}

/** The longest chain from a time-stamping authority to its root. */
const maxSteps = 8

function leadsTo(certificate: X509Certificate, path: Path, steps = 0): boolean {
  const { certificates, authorities, at } = path
  if (authorities.some(({ raw }) => hash('sha256', raw) === hash('sha256', certificate.raw))) return true
  const isIssuer = (issuer: X509Certificate) =>
    certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey) && isValidAt(issuer, at)
  if (authorities.some(isIssuer)) return true
  if (steps >= maxSteps) return false
  return certificates.some((issuer) => issuer.ca && isIssuer(issuer) && leadsTo(issuer, path, steps + 1))
}
