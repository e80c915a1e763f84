import type { LetterChannel } from '@sav/core/adapter'
import { letterChannels } from '@sav/core/names'
import type { Settings } from '../settings/settings.js'

type Channels = Pick<Settings, 'mail' | 'whatsapp'>

/** The configured channels. @param byWhatsApp whether WhatsApp may carry such letters */
export const configured = ({ mail, whatsapp }: Channels, byWhatsApp: boolean): LetterChannel[] => {
  const isThere = { email: mail !== null, whatsapp: whatsapp !== null && byWhatsApp }
  return letterChannels.filter((name) => isThere[name])
}

/** The channels by which a close sends its report, the same in every process. */
export const lettersOf = (settings: Channels): LetterChannel[] => configured(settings, true)
