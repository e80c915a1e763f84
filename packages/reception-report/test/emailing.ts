import { onTestFinished } from 'vitest'
import { createEmailCarrier, type EmailOptions } from '../src/email.js'
import { mailServer, rawServer } from './smtp-servers.js'

/** E-mail needs no intention: a call fails the test. */
export const noIntent = async () => {
  throw new Error('a repeated mail is recognised by its Message-ID')
}

/** Like mailServer, until the test ends. */
export async function server(...given: Parameters<typeof mailServer>) {
  const opened = await mailServer(...given)
  onTestFinished(() => opened.close())
  return opened
}

/** Like rawServer, until the test ends. */
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
