import { shapes } from '@sav/core/adapter'
import type { StoredFile } from '@sav/core/ports'
import * as z from 'zod'
import type { Bytes } from '../declaration/answers.js'
import type { Queries } from '../declaration/route.js'

/** The headers of an answer with a file. */
export const fileHeaders = ['Accept-Ranges', 'Content-Disposition'] as const

/** The policy of a file: it runs no script, and no page may embed it. */
const policy = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** A file as an answer. */
export const shown = (file: StoredFile, filename = nameOf(file)): Bytes => {
  const { media_type, content, sha256 } = file
  return {
    media_type,
    content,
    // A browser revalidates it each time, so it shows nothing after a sign-out.
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
  }
}

/** The file's name: its shortened hash, with the extension of its media type. */
function nameOf({ sha256, media_type }: StoredFile): string {
  const kind = media_type.replace(/;.*/, '')
  return `${sha256.slice(0, 16)}.${kind === 'text/plain' ? 'txt' : kind.slice(kind.indexOf('/') + 1)}`
}

/** The answer while a report is being drawn. */
export const undrawn = shapes.named('UndrawnReport', () => z.object({ statut: z.literal('en_file') }), {
  statut: 'en_file',
})

/** The files of a case: photos and signatures, reports, and the text shown to a customer before signing. */
export const fileTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'application/pdf',
  'text/plain; charset=utf-8',
] as const

/** The latest report of a case, or the answer for a report that is not drawn yet. */
export async function shownReport(
  { cases }: Pick<Queries, 'cases'>,
  account_id: string,
  id: number,
): Promise<Bytes | { readonly statut: 'en_file' }> {
  const file = await cases.report(account_id, id)
  if (file === null) return { statut: 'en_file' }
  const { reference, signature_client } = await cases.get(account_id, id)
  const kind = signature_client === null ? 'rapport-de-fin-d-intervention' : 'pv-de-reception'
  return shown(file, `${reference}-${kind}.pdf`)
}
