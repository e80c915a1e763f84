import { CaseNotFoundError, conflict, fieldProblem, found, ValidationError } from '../errors.js'
import type { LetterChannel } from '../letters/letter.js'
import { channelsTo, enqueueReport } from '../reports/sending.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import type { Random } from '../values/random.js'
import { parse } from '../values/validation.js'
import type { WritesOf } from '../write.js'
import type { Cases } from './cases.js'
import { pvStateOf } from './detail.js'
import { historyEntry, recordChange } from './history.js'
import { sendReportInput } from './inputs.js'

export interface ReportResendingDeps {
  readonly clock: Clock
  readonly newId: NewId
  readonly random: Random
  readonly letterChannels: readonly LetterChannel[]
}

/** Sends the report of a case's latest close on request, whether or not it has been sent before. */
export function reportResending(deps: ReportResendingDeps): WritesOf<Cases, 'sendReport'> {
  const { clock, newId, random, letterChannels } = deps
  return {
    sendReport(actor, id, input) {
      const { account_id } = actor
      const { canal } = parse(sendReportInput, input)
      return {
        async write(tx) {
          const sent = await tx.cases.lock(account_id, id)
          if (sent === null) throw new CaseNotFoundError(id)
          const { reference } = sent
          if (sent.statut !== 'clos') throw conflict('case_not_closed_for_report', { reference, statut: sent.statut })
          const { sequence } = found(
            (await tx.reports.ofCase(account_id, id)).at(-1) ?? null,
            'report',
            `of case ${id}`,
          )
          const report = found(await tx.reports.lock(account_id, sequence), 'report', `of case ${id}`)
          if (report.erased_at !== null) throw conflict('case_customer_erased', { reference })
          const client = found(await tx.directory.findClient(account_id, sent.client.id), 'client', sent.client.id)

          const possible = channelsTo(client, letterChannels).filter((channel) => channel !== 'email' || client.email)
          if (possible.length === 0)
            throw letterChannels.length === 0
              ? conflict('no_letter_channel')
              : conflict('client_not_reached', { id: client.id })
          if (canal !== undefined && !possible.includes(canal))
            throw new ValidationError([fieldProblem('canal', 'channel_impossible', { possible: possible.join(', ') })])
          const channels = canal === undefined ? possible : [canal]
          const earlier = report.event_id === null ? [] : await tx.deliveries.ofEvent(account_id, report.event_id)
          const onItsWay = earlier.find(({ channel, state }) => state === 'pending' && channels.includes(channel))
          if (onItsWay !== undefined)
            throw conflict('report_on_its_way', { canal: onItsWay.channel, livraison: onItsWay.id })

          const at = toInstant(clock.now())
          const sentAt = earlier[0]?.created_at ?? null
          const event_id = await enqueueReport(tx, newId, { report, sentAt, channels, at })
          const statut = report.statut === 'envoye' ? 'envoye' : 'en_file'
          await tx.reports.update({ ...report, event_id, statut })
          const change = { champ: 'pv', ancien: report.statut, nouveau: statut }
          const lines = [historyEntry(actor, at, 'rapport', { change, commentaire: channels.join(', ') })]
          await recordChange(tx, random, sent, { date_modification: at, lines })
          const pv = pvStateOf({ ...report, statut }, await tx.deliveries.ofEvent(account_id, event_id))
          return { id, reference, pv }
        },
      }
    },
  }
}
