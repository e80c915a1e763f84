import type { Cases } from '@sav/core'
import { idOf, type Route, readOne } from './route.js'

/** Photos and signatures, through the case that holds them. */
export function fileRoutes(cases: Cases): Route[] {
  return [
    readOne({ pattern: '/api/v1/sav/{id}/fichiers/{sha256}', permission: 'sav:read' }, async (call) => {
      const { media_type, content, sha256 } = await cases.file(call.actor.account_id, idOf(call), call.params[1] ?? '')
      const filename = `${sha256.slice(0, 16)}.${media_type.slice(media_type.indexOf('/') + 1)}`
      return {
        status: 200,
        headers: [
          'Content-Type',
          media_type,
          'Content-Disposition',
          `inline; filename="${filename}"`,
          'ETag',
          `"${sha256}"`,
          // The bytes behind a hash never change; a year is the longest that caches honour.
          'Cache-Control',
          'private, max-age=31536000, immutable',
        ],
        body: content,
      }
    }),
  ]
}
