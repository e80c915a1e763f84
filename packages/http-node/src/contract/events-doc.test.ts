import { fileURLToPath } from 'node:url'
import type { EventKind } from '@sav/webhook-verify'
import { expect, it } from 'vitest'
import { webhookBodies } from './webhook-events.js'

const written = fileURLToPath(new URL('../../../../docs/events.md', import.meta.url))

/** When each is sent: a kind that is missing does not compile. */
const occasions: Record<EventKind | 'webhook.test', string> = {
  'sav.created': 'A case was opened.',
  'sav.updated': 'Anything of a case changed but its state and its installer; free text and notes are named only.',
  'sav.status_changed': 'A case went from `ouvert` to `en_cours`, or back.',
  'sav.assigned': 'A case was given to an installer, to another one, or to none.',
  'sav.closed':
    'A case was closed. It carries the evidence: worth keeping, as an anchor of the chain outside of the house.',
  'sav.reopened': 'A closed case was opened again.',
  'sav.report_sent': 'The first channel accepted the reception report of a close.',
  'sav.report_failed': 'No channel could bring the reception report of a close.',
  'rdv.created': 'An appointment was booked or offered.',
  'rdv.rescheduled': 'An appointment got another time, installer or team.',
  'rdv.confirmed': 'An appointment was confirmed.',
  'rdv.cancelled': 'An appointment was cancelled, the customer was absent, or its hold ran out.',
  'rdv.completed': 'An appointment was carried out.',
  'webhook.test': 'Somebody asked for a test delivery. It is sent to that endpoint alone, and cannot be chosen.',
}

it('docs/events.md shows each kind as the contract has it', async () => {
  const sections = webhookBodies.map(
    ({ kind, example }) =>
      `## ${kind}\n\n${occasions[kind]}\n\n\`\`\`json\n${JSON.stringify(example(), null, 2)}\n\`\`\`\n`,
  )
  const page = `# Events

What a webhook's body holds, kind by kind; how to believe it: [receiving](receiving.md). Every body has \`event\`, \`timestamp\` (UTC,
ISO 8601) and \`data\`, which begins with \`event_id\`: the same over every attempt, so de-duplicate on it. \`version\` grows by one
with every change, and order is not promised: keep the highest. Ids stand for people, never names or addresses. Kinds may be
added; a receiver lets those pass that it does not know. The schemas are the \`webhooks\` of \`/openapi.json\`.

${sections.join('\n')}`
  await expect(page).toMatchFileSnapshot(written)
})
