import type { StoredFile } from '@sav/core/ports'
import { type Bytes, bytes } from './answers.js'
import { readRoute } from './route.js'

const headers = ['Accept-Ranges', 'Content-Disposition'] as const

/** A file that somebody uploaded, or that holds what somebody wrote: no page may run anything of it. */
const policy = "default-src 'none'; sandbox"

const shown = ({ media_type, content, sha256 }: StoredFile, filename: string, cache: string): Bytes => ({
  media_type,
  content,
  cache,
  headers: [
    'Content-Disposition',
    `inline; filename="${filename}"`,
    'ETag',
    `"${sha256}"`,
    'Accept-Ranges',
    'bytes',
    'Content-Security-Policy',
    policy,
  ],
})

/** Photos, signatures and reports, through the case that holds them. */
export const fileRoutes = [
  readRoute({
    path: '/api/v1/sav/{id}/fichiers/{sha256}',
    name: 'getFile',
    summary: 'Read a photo, a signature or a report of a case',
    permission: 'sav:read',
    answers: bytes(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'application/pdf'], 'The file.', headers),
    failures: ['not_found'],
    async handle({ sav, actor, params }) {
      const file = await sav.cases.file(actor.account_id, params.id, params.sha256)
      const ending = file.media_type.slice(file.media_type.indexOf('/') + 1)
      // The bytes behind a hash never change; a year is the longest that caches honour.
      return shown(file, `${file.sha256.slice(0, 16)}.${ending}`, 'private, max-age=31536000, immutable')
    },
  }),
  readRoute({
    path: '/api/v1/sav/{id}/pv',
    name: 'getReport',
    summary: 'Read the reception report (PV de réception)',
    description: 'Of the latest close. It is drawn some moments after that; until then the answer is 503.',
    permission: 'sav:read',
    answers: bytes(['application/pdf'], 'The report.', headers),
    failures: ['case_not_found', 'not_found'],
    async handle({ sav, actor, params }) {
      const file = await sav.cases.report(actor.account_id, params.id)
      const { reference, signature_client } = await sav.cases.get(actor.account_id, params.id)
      const kind = signature_client === null ? 'rapport-de-fin-d-intervention' : 'pv-de-reception'
      return shown(file, `${reference}-${kind}.pdf`, 'private, no-cache')
    },
  }),
]
