import type { LetterChannel, RdvLetterKind } from '@sav/core/internal'
import { letterChannels } from '@sav/core/names'
import type { RdvLetterChannels } from '@sav/planning'
import type { Settings } from '../settings/settings.js'

type Channels = Pick<Settings, 'mail' | 'whatsapp'>

const configured = ({ mail, whatsapp }: Channels, byWhatsApp: boolean): LetterChannel[] => {
  const isThere = { email: mail !== null, whatsapp: whatsapp !== null && byWhatsApp }
  return letterChannels.filter((name) => isThere[name])
}

/** The channels by which a close sends its report, the same in every process. */
export const lettersOf = (settings: Channels): LetterChannel[] => configured(settings, true)

/** The channels of each kind of letter on an appointment: WhatsApp where there is a template for it. */
export function rdvLettersOf(settings: Channels): RdvLetterChannels {
  const of = (about: RdvLetterKind) => configured(settings, settings.whatsapp?.rdvTemplates[about] !== undefined)
  return { confirmation: of('confirmation'), annulation: of('annulation'), rappel: of('rappel'), retard: of('retard') }
}
