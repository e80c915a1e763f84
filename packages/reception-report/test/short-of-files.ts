// A process that sends letters after using up its file descriptors, and prints each outcome.
import { openSync } from 'node:fs'
import { OwnLimitError } from '@sav/core/adapter'
import { createEmailCarrier } from '../src/email.js'
import { createWhatsAppCarrier } from '../src/whatsapp.js'
import { rdvLetter, reportLetter } from './letters.js'

const [, , smtp = '', api = ''] = process.argv
const email = () => createEmailCarrier({ url: smtp, from: 'SAV <service@sav.example>', timeZone: 'Europe/Paris' })
const whatsApp = createWhatsAppCarrier({
  ...{ api, token: 't', phoneId: '1', template: 'pv_reception', rdvTemplates: { rappel: 'rdv_rappel' } },
})
const carried = [
  () => email().carry(reportLetter(), async () => {}),
  () => whatsApp.carry(reportLetter(), async () => {}),
  () => whatsApp.carry(rdvLetter({ about: 'rappel' }), async () => {}),
]

// Makes Node.js load everything that it loads at first use.
for (const carry of carried) await carry()
process.stdout.write('')
try {
  for (;;) openSync('/dev/null', 'r')
} catch {
  const outcomes = carried.map((carry) =>
    carry().then(
      ({ error }) => error,
      (error: unknown) => (error instanceof OwnLimitError ? error.limit : String(error)),
    ),
  )
  process.stdout.write(JSON.stringify(await Promise.all(outcomes)))
  process.exit()
}
