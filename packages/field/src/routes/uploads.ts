import { createHash } from 'node:crypto'
import { named, type Output, photoBytes } from '@sav/core/feature'
import type { ApiRequest } from '@sav/http-node'
import {
  type Answers,
  json,
  made,
  type NoInput,
  type OperationTypes,
  ok,
  Refusal,
  type RouteSav,
  type WriteRoute,
  withResult,
} from '@sav/http-node/feature'
import * as z from 'zod'
import type { FieldFeature } from '../field.js'
import { reason } from '../refusals.js'
import type { UploadProgress } from '../uploads.js'

const progress = named(
  'UploadProgress',
  () =>
    z.object({
      recu: z.int().nonnegative().describe('How many bytes have arrived, from the first byte without a gap.'),
      taille: z.int().nonnegative().describe('How many bytes the whole file has.'),
    }),
  { recu: 65_536, taille: 180_224 },
)

type Progress = Output<typeof progress>
type UploadAnswers = Answers<UploadProgress, { success: true; data: Progress }>

/**
 * Status 308, as in resumable uploads. `Range` says which bytes have arrived (RFC 9110 §14.2). Without it, none have.
 */
const goesOn: UploadAnswers = {
  ...ok(progress, 'A part has arrived: continue after the last byte in `Range`.'),
  status: 308,
  headers: ['Range'],
  write: ({ recu, taille }) =>
    json(308, { success: true, data: { recu, taille } }, recu > 0 ? ['Range', `bytes=0-${recu - 1}`] : []),
}
const known: UploadAnswers = { ...ok(progress, 'The file had arrived before.'), alternative: goesOn }
const answers: UploadAnswers = {
  ...made(progress, 'The file has arrived.'),
  alternative: known,
  write({ complet, deja, recu, taille }) {
    if (!complet) return goesOn.write({ complet, deja, recu, taille })
    return json(deja ? 200 : 201, { success: true, data: { recu, taille } })
  },
}

/** The position of the part, and the length of the file; without a range, the part is the file. @throws Refusal */
function partOf(range: string | undefined, content: Uint8Array): { readonly debut: number; readonly taille: number } {
  if (range === undefined) return { debut: 0, taille: content.length }
  const [, first, last, all] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(range.trim()) ?? []
  const [debut, taille] = [Number(first ?? 0), Number(all)]
  const length = first === undefined ? 0 : Number(last) - debut + 1
  if (all === undefined || length !== content.length || debut + length > taille)
    throw new Refusal('bad_request', { because: reason('content_range_wrong', { found: range.slice(0, 100) }) })
  return { debut, taille }
}

async function contentOf(request: ApiRequest, budget: Parameters<ApiRequest['readBody']>[0]): Promise<Uint8Array> {
  if (request.header('content-encoding') !== undefined)
    throw new Refusal('unsupported_media_type', { because: reason('content_encoded') })
  const content = await request.readBody({ ...budget, maxBytes: photoBytes })
  if (content === null) throw new Refusal('payload_too_large', { fields: { max_bytes: photoBytes } })
  return content
}

const path = '/api/v1/fichiers/{sha256}'

/** A white pixel. */
const content = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8//8/AwAI/AL+hc2rNAAAAABJRU5ErkJggg==',
  'base64',
)
const example = { sha256: createHash('sha256').update(content).digest('hex'), content }

/** Uploads a file, to which a later write refers. The body is the file or a part of it, not JSON. */
export const uploadRoute: WriteRoute<RouteSav<FieldFeature>> &
  OperationTypes<'PUT', typeof path, NoInput, Blob, { success: true; data: Progress }> = {
  method: 'PUT',
  path,
  name: 'sendFile',
  summary: 'Send a photo or a signature, before the report that names it',
  description:
    'The body is the file, or the part in `Content-Range` (`bytes 0-65535/180224`); `bytes */180224` without a body asks for the ' +
    'progress. A part that begins with the first byte restarts the file. A file that no report names within 7 days ' +
    'is deleted.',
  permission: 'terrain',
  query: null,
  body: null,
  file: { mediaTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/heic'], example },
  secret: false,
  conditional: false,
  answers,
  failures: ['bad_request', 'conflict'],
  async read({ request, budget, texts: [sha256 = ''], search }) {
    if (search !== '') throw new Refusal('bad_request')
    const content = await contentOf(request, budget)
    const part = { sha256, content, ...partOf(request.header('content-range'), content) }
    return {
      body: content,
      write: ({ writes }, { actor }) => withResult(writes.field.receive(actor, part), (sent) => answers.write(sent)),
    }
  },
}
