import { onTestFinished } from 'vitest'
import { createEmailCarrier, type EmailOptions } from '../src/email.js'
import { mailServer, rawServer } from './smtp-servers.js'

/** An `intend` that fails the test, since e-mail must not call it. */
export const noIntent = async () => {
  throw new Error('a repeated mail is recognised by its Message-ID')
}

/** A mailServer that is closed when the test ends. */
export async function server(...given: Parameters<typeof mailServer>) {
  const opened = await mailServer(...given)
  onTestFinished(() => opened.close())
  return opened
}

/** A rawServer that is closed when the test ends. */
export async function talking(...given: Parameters<typeof rawServer>) {
  const opened = await rawServer(...given)
  onTestFinished(() => opened.close())
  return opened
}

export function carrier(url: string, options: Partial<EmailOptions> = {}) {
  const made = createEmailCarrier({ url, from: 'SAV <service@sav.example>', timeZone: 'Europe/Paris', ...options })
  onTestFinished(() => made.close())
  return made
}

export const refusal = (responseCode: number, text = 'no') => Object.assign(new Error(text), { responseCode })
