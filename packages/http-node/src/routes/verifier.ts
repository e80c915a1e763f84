import { wantsJson } from '../api/accept.js'
import { refuseBeyond } from '../api/failures.js'
import { bytes } from './answers.js'
import { checkPage, checkPolicy } from './check-page.js'
import { publicRoute } from './route.js'

/** Where the QR code of a report leads. Nothing about anybody is told: whether the hash is known, and since when. */
export const verifierRoutes = [
  publicRoute({
    path: '/verifier/{hash}',
    name: 'checkReport',
    summary: 'Check the hash on a reception report',
    description:
      'A page in French; where `Accept` prefers it, `{success, data: {concorde, date}}` as JSON. ' +
      'What is no hash at all is answered like one that nobody knows.',
    answers: bytes(['text/html', 'application/json'], 'Whether a close with this hash was recorded, and when.'),
    failures: ['too_many_requests', 'unavailable'],
    async handle({ sav, ip, request, params }) {
      refuseBeyond(sav.limits.publicLook(ip))
      const hash = params.hash.toLowerCase()
      const date = /^[0-9a-f]{64}$/.test(hash) ? await sav.evidence.dateOf(hash) : null
      const common = {
        cache: 'no-store',
        headers: ['Content-Security-Policy', checkPolicy, 'Referrer-Policy', 'no-referrer'],
      }
      if (!wantsJson(request.header('accept')))
        return { ...common, media_type: 'text/html; charset=utf-8', content: checkPage(date) }
      const content = JSON.stringify({ success: true, data: { concorde: date !== null, date } })
      return { ...common, media_type: 'application/json; charset=utf-8', content }
    },
  }),
]
