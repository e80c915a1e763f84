import { languageAsked, wantsJson } from '../../http/accept.js'
import { refuseBeyond } from '../../http/failures.js'
import { type Bytes, bytes, either, missingPage } from '../declaration/answers.js'
import { publicRoute } from '../declaration/declare.js'
import { checkPage, checkPolicy } from './check-page.js'

const mediaTypes = ['text/html', 'application/json']

interface Check extends Bytes {
  readonly isMissing: boolean
}

/** The page behind the QR code of a report. It shows no personal data, only whether the hash is known and valid. */
export const verifierRoutes = [
  publicRoute({
    path: '/verifier/{hash}',
    name: 'checkReport',
    summary: 'Check the hash on a reception report',
    description:
      'A page in French, or in English if `Accept-Language` or `?langue=en` prefers it. If `Accept` prefers JSON: ' +
      '`{success, data: {concorde, hash_sha256, date, fuseau, dossier, chaine, remplace_le, sur_place}}`. For a close ' +
      'from the field, `sur_place` has the time by the phone’s clock (`survenu_a`), whether that time is possible ' +
      '(`cru`), and how far that clock was ahead (`decalage_ms`). The first 16 digits of the hash are enough. A text ' +
      'that is not a hash is answered like an unknown hash.',
    answers: either<Check, Check & { readonly isMissing: true }, Uint8Array, Uint8Array>(
      bytes(mediaTypes, 'The time of the close with this hash, and the results of the checks.'),
      missingPage('An unknown hash.', mediaTypes),
      (check): check is Check => !check.isMissing,
    ),
    failures: ['too_many_requests', 'unavailable'],
    async handle({ sav, ip, request, params, search }) {
      refuseBeyond(sav.limits.publicLook(ip))
      const found = await sav.evidence.checkPrinted(params.hash)
      const common = {
        isMissing: found === null,
        cache: 'no-store',
        headers: ['Content-Security-Policy', checkPolicy, 'Referrer-Policy', 'no-referrer'],
      }
      if (!wantsJson(request.header('accept'))) {
        const content = checkPage(found, languageAsked(request, search))
        return { ...common, media_type: 'text/html; charset=utf-8', content }
      }
      const answer =
        found === null ? { success: false, error: 'Not found' } : { success: true, data: { concorde: true, ...found } }
      return { ...common, media_type: 'application/json; charset=utf-8', content: JSON.stringify(answer) }
    },
  }),
]
