import { shapes } from '@sav/core/internal'
import type { StoredFile } from '@sav/core/ports'
import * as z from 'zod'
import { type Bytes, bytes, either, notYet } from './answers.js'
import { readRoute } from './route.js'

const headers = ['Accept-Ranges', 'Content-Disposition'] as const

/** A file that somebody uploaded, or that holds what somebody wrote: nothing of it runs, and no page shows it inside of its own. */
const policy = "default-src 'none'; sandbox; frame-ancestors 'none'"

const shown = ({ media_type, content, sha256 }: StoredFile, filename: string): Bytes => ({
  media_type,
  content,
  // A browser asks anew each time, and after a sign-out is told nothing.
  cache: 'private, no-cache',
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

const undrawn = shapes.named('UndrawnReport', z.object({ statut: z.literal('en_file') }), { statut: 'en_file' })

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
      return shown(file, `${file.sha256.slice(0, 16)}.${ending}`)
    },
  }),
  readRoute({
    path: '/api/v1/sav/{id}/pv',
    name: 'getReport',
    summary: 'Read the reception report (PV de réception)',
    description: 'Of the latest close. It is drawn some moments after that; until then the answer is 202.',
    permission: 'sav:read',
    answers: either(
      bytes(['application/pdf'], 'The report.', headers),
      notYet(undrawn, 'It is being drawn: ask again after `Retry-After` seconds.'),
      (result): result is Bytes => 'content' in result,
    ),
    failures: ['case_not_found', 'not_found'],
    async handle({ sav, actor, params }) {
      const file = await sav.cases.report(actor.account_id, params.id)
      if (file === null) return { statut: 'en_file' as const }
      const { reference, signature_client } = await sav.cases.get(actor.account_id, params.id)
      const kind = signature_client === null ? 'rapport-de-fin-d-intervention' : 'pv-de-reception'
      return shown(file, `${reference}-${kind}.pdf`)
    },
  }),
  readRoute({
    path: '/api/v1/compte/apercu-pv',
    name: 'previewReport',
    summary: 'See a sample of the reception report',
    description:
      'Of a case that is none, with what the account says of itself now: its name, its logo. Nothing is kept of it.',
    permission: 'sav:read',
    answers: bytes(['application/pdf'], 'The sample.', headers),
    failures: ['conflict'],
    async handle({ sav, actor }) {
      return shown(await sav.cases.sampleReport(actor.account_id), 'apercu-pv.pdf')
    },
  }),
]
