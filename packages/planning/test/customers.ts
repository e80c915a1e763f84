import { memoryStorage } from '../../../test/memory-storage.js'
import { letterChannels, type RdvLetter } from '../../core/src/letters/letter.js'
import type { Storage } from '../../core/src/storage.js'
import { fixedClock } from '../../core/src/testing/index.js'
import { openSav } from '../../core/test/open-sav.js'
import { accepting, type carrying, writing } from '../../core/test/reporting.js'
import type { RdvLetterChannels } from '../src/appointments/customer-letters.js'
import type { RdvInvitation } from '../src/customers/rdv-letter.js'

const everyChannel: RdvLetterChannels = {
  confirmation: letterChannels,
  rappel: letterChannels,
  annulation: letterChannels,
  retard: letterChannels,
}

export interface Customers {
  readonly email?: ReturnType<typeof carrying>
  readonly whatsapp?: ReturnType<typeof carrying>
  readonly storage?: Storage
  readonly publicUrl?: string | null
  /** Default: 0. */
  readonly delayMs?: number
}

/**
 * A shop that writes to its customers, on Monday 2026-03-16, 06:00 in Paris: one of them can be reached by both channels,
 * one by e-mail, one by none.
 */
export async function openShop({
  email = accepting(),
  whatsapp = accepting(),
  storage: over,
  publicUrl = 'https://sav.example/',
  delayMs = 0,
}: Customers = {}) {
  const storage = over ?? (await memoryStorage())
  const clock = fixedClock()
  const invitations: RdvInvitation[] = []
  const reports = {
    renderer: writing().renderer,
    carriers: { email: email.carrier, whatsapp: whatsapp.carrier },
    checkUrl: () => null,
    timestamper: null,
  }
  const opened = await openSav({
    clock,
    storage,
    reports,
    publicUrl,
    planning: {
      letters: everyChannel,
      letterDelayMs: delayMs,
      ical: async (invitation: RdvInvitation) => {
        invitations.push(invitation)
        return `BEGIN:VCALENDAR ${invitation.uid}`
      },
    },
  })
  const { sav, actor, account_id, poseur, worker } = opened
  await clock.advance(Date.UTC(2026, 2, 16, 5) - clock.now())
  await sav.accounts.update(actor, {
    raison_sociale: 'Ateliers Lœuvre',
    telephone: '04 78 00 11 22',
    confirmation_rdv: true,
    rappel_rdv: true,
  })
  const { clients } = sav.directory
  const zoe = await clients.add(actor, {
    nom: 'Martin',
    prenom: 'Zoé',
    email: 'zoe@martin.example',
    telephone: '06 12 34 56 78',
    whatsapp: true,
    lieu: { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', acces: 'Code 14B' },
  })
  const paul = await clients.add(actor, { nom: 'Petit', prenom: 'Paul', email: 'paul@petit.example' })
  const at = (debut: string, more: object = {}) => ({
    client_id: paul.id,
    poseur_id: poseur.id,
    debut: `${debut}:00+01:00`,
    duree_minutes: 90,
    ...more,
  })

  let [mails, messages] = [0, 0]
  const isRdv = (letter: { readonly kind: string }): letter is RdvLetter => letter.kind === 'rdv'
  /** Runs the worker for `ms`. Resolves to the letters that it sent. */
  async function sent(ms = 2_000) {
    worker.start()
    await clock.advance(ms)
    await worker.stop()
    const letters = {
      email: email.letters.slice(mails).filter(isRdv),
      whatsapp: whatsapp.letters.slice(messages).filter(isRdv),
    }
    ;[mails, messages] = [email.letters.length, whatsapp.letters.length]
    return letters
  }
  const mailed = async (ms?: number) =>
    (await sent(ms)).email
      .map(({ about, to, debut }) => ({ about, to, debut }))
      .toSorted((a, b) => (a.debut < b.debut ? -1 : 1))
  const until = (instant: string) => Date.parse(instant) - clock.now()
  const failures = async () =>
    (await sav.webhooks.deliveries.list(account_id, { state: 'failed' })).items.map(({ last_error }) => last_error)

  return { ...opened, clock, storage, zoe, paul, at, sent, mailed, until, failures, invitations }
}
