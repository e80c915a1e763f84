import { NotFoundError, SavError, ValidationError } from '@sav/core'
import { parse } from '@sav/core/feature'
import {
  type Bytes,
  bytes,
  either,
  languageAsked,
  languageIn,
  missingPage,
  refuseBeyond,
  routesOf,
  seeOther,
} from '@sav/http-node/feature'
import { rdvAnswerInput } from '../customers/rdv-pages.js'
import type { PlanningFeature } from '../planning.js'
import { missingRdvPage, type Notice, rdvPage, type ShownPage } from './rdv-page.js'

const { formRoute, publicRoute } = routesOf<PlanningFeature>()

const path = '/rdv/{rdvPage}'

interface Page extends Bytes {
  readonly isMissing: boolean
}

const html = ({ content, policy }: ShownPage, isMissing = false): Page => ({
  isMissing,
  media_type: 'text/html; charset=utf-8',
  content,
  cache: 'no-store',
  headers: ['Content-Security-Policy', policy, 'Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex'],
})

const missing = missingPage('The secret never existed, or no longer works.')

/** The page where a customer answers: the secret in the address identifies the customer. */
export const rdvPageRoutes = [
  publicRoute({
    path,
    name: 'getRdvPage',
    summary: 'Read the page where a customer answers about an appointment',
    description:
      'The page that a letter links to, in French, or in English if `Accept-Language` or `?langue=en` asks for it. ' +
      'Reading it changes nothing. It exists until the appointment is over, and then gets the same answer as a page ' +
      'that never existed.',
    answers: either<Page, Page & { readonly isMissing: true }, Uint8Array, Uint8Array>(
      bytes(['text/html'], 'The page.'),
      missing,
      (page): page is Page => !page.isMissing,
    ),
    failures: ['too_many_requests', 'unavailable'],
    async handle({ sav, ip, request, params, search }) {
      const language = languageAsked(request, search)
      // The limit comes before the search: finding the offered times takes long.
      refuseBeyond(sav.limits.pageReading(params.rdvPage))
      const view = await sav.rdvPages.find(params.rdvPage)
      if (view !== null) return html(rdvPage(view, new URLSearchParams(search).get('avis'), language))
      // Only wrong secrets are counted by IP address, so that others at the same address do not lock a customer out.
      refuseBeyond(sav.limits.publicLook(ip))
      return html(missingRdvPage(language), true)
    },
  }),
  formRoute({
    path,
    name: 'answerRdvPage',
    summary: 'Confirm, move or cancel an appointment, or say how to get in, as its customer',
    description:
      'Takes a form of that page. The browser is redirected to the page, which shows the result. ' +
      'Moving and cancelling are possible until 24 hours before the appointment.',
    form: rdvAnswerInput,
    answers: either(seeOther('The page shows the result.'), missing, (outcome) => typeof outcome === 'string'),
    failures: ['too_many_requests', 'unavailable'],
    async handle({ sav, ip, request, params, search, form, perform }) {
      refuseBeyond(sav.limits.publicLook(ip))
      const chosen = languageIn(search)
      const back = (notice: Notice) => `?avis=${notice}${chosen === null ? '' : `&langue=${chosen}`}`
      const fields = await form()
      try {
        const answer = answerIn(fields)
        await perform(sav.writes.rdvPages.answer(params.rdvPage, answer))
        return back(doneNotices[answer.action])
      } catch (error) {
        if (error instanceof NotFoundError) return html(missingRdvPage(languageAsked(request, search)), true)
        return back(noticeOf(error))
      }
    },
  }),
]

/** @throws ValidationError */
const answerIn = (fields: Readonly<Record<string, string>>) =>
  parse(rdvAnswerInput, 'version' in fields ? { ...fields, version: Number(fields['version']) } : fields)

const doneNotices = { confirmer: 'confirme', deplacer: 'deplace', annuler: 'annule', acces: 'acces' } as const

/** Rethrows errors that the customer cannot fix. */
function noticeOf(error: unknown): Notice {
  switch (error instanceof SavError ? error.kind : null) {
    case 'conflict':
      return 'tard'
    case 'version_mismatch':
      return 'change'
    case 'slot_taken':
      return 'pris'
    case 'validation_failed':
      return error instanceof ValidationError && error.details.some(({ field }) => field === 'jeton')
        ? 'pris'
        : 'invalide'
    default:
      throw error
  }
}
