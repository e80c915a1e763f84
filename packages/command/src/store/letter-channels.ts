import type { LetterChannel } from '@sav/core/adapter'
import { letterChannels } from '@sav/core/names'
import type { Settings } from '../settings/settings.js'

type Channels = Pick<Settings, 'mail' | 'whatsapp'>

/**
 * The channels that are configured for a kind of letters.
 * @param byWhatsApp whether letters of this kind may go by WhatsApp
 */
export const configured = ({ mail, whatsapp }: Channels, byWhatsApp: boolean): LetterChannel[] => {
  const isThere = { email: mail !== null, whatsapp: whatsapp !== null && byWhatsApp }
  return letterChannels.filter((name) => isThere[name])
}

/**
 * The channels by which the report of a close is sent. They depend only on the settings, so that all processes use the
 * same ones.
 */
export const lettersOf = (settings: Channels): LetterChannel[] => configured(settings, true)
