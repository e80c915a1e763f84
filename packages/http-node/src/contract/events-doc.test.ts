import { fileURLToPath } from 'node:url'
import type { EventKind } from '@sav/webhook-verify'
import { expect, it } from 'vitest'
import { markdownTable } from '../../../../test/markdown-table.js'
import { events } from '../../../../test/whole/permissions.js'
import { webhookBodies } from './webhook-events.js'

const written = fileURLToPath(new URL('../../../../docs/reference/events.md', import.meta.url))

/** When each kind of event is sent. A missing kind does not compile. */
const occasions: Readonly<Record<string, string>> = {
  'sav.created': 'A case was opened.',
  'sav.updated':
    'A case changed, other than its state or its installer. For free text and notes, only the name of the field is given.',
  'sav.status_changed': 'A case went from `ouvert` to `en_cours`, or back.',
  'sav.assigned': 'A case was given to an installer, to another one, or to none.',
  'sav.closed':
    'A case was closed. The event carries its evidence: keep it as an anchor of the chain outside the service.',
  'sav.reopened': 'A closed case was opened again.',
  'sav.report_sent': 'The first channel accepted the reception report of a close.',
  'sav.report_failed': 'No channel could deliver the reception report of a close.',
  'rdv.created': 'An appointment was booked or offered.',
  'rdv.rescheduled': 'An appointment got another time, installer or team.',
  'rdv.confirmed': 'An appointment was confirmed.',
  'rdv.cancelled': 'An appointment was cancelled, the customer was absent, or its hold ran out.',
  'rdv.completed': 'An appointment was carried out.',
  'webhook.test': 'A user asked for a test delivery. Only that endpoint gets it; no endpoint can subscribe to it.',
} satisfies Record<EventKind | 'webhook.test', string>

/** What each operation emits. */
const operations = [
  ['create a case', '`sav.created`'],
  ['update it', '`sav.status_changed`, `sav.assigned`, `sav.updated` (anything else): one of each that applies'],
  ['close, reopen it', '`sav.closed`, `sav.reopened`'],
  ['report accepted by a first channel, exhausted on all', '`sav.report_sent`, `sav.report_failed`'],
  ['book', '`rdv.created`; also `rdv.confirmed` if confirmed, `sav.assigned` if the case had no installer'],
  ['new time, person or team', '`rdv.rescheduled`'],
  ['`confirme`; `annule`, `absent`; `realise`', '`rdv.confirmed`; `rdv.cancelled`; `rdv.completed`'],
  ['`en_cours`, `realise`', '`sav.status_changed` if the case was `ouvert`'],
]

it('docs/reference/events.md shows each kind of event with the example of the contract', async () => {
  const sections = webhookBodies(events).map(
    ({ kind, example }) =>
      `## ${kind}\n\n${occasions[kind]}\n\n\`\`\`json\n${JSON.stringify(example(), null, 2)}\n\`\`\`\n`,
  )
  const page = `# Events

The body of each kind of webhook. To receive and verify them: [\`@sav/webhook-verify\`](../../packages/webhook-verify/README.md).

- Every body has \`event\`, \`timestamp\` (UTC, ISO 8601) and \`data\`.
- \`data.event_id\` is the same in every attempt: de-duplicate on it.
- \`data.version\` grows by one with every change, and order is not promised: keep the highest.
- People appear as ids, never as names or addresses.
- Kinds may be added: ignore those that you do not know.
- The schemas are the \`webhooks\` of \`/openapi.json\`.

${markdownTable([['operation', 'events'], ...operations])}
${sections.join('\n')}`
  await expect(page).toMatchFileSnapshot(written)
})
