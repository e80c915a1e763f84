import { useState } from 'preact/hooks'
import { question, useRead } from '../api/read.js'
import { deviceName } from '../session/device-name.js'
import { readSession, session } from '../session/session.js'
import { say, sayFailed } from '../system/notices.js'
import { Card } from '../system/page.js'
import { words } from '../words/words.js'
import { readMethods, registerPasskey } from './sign-in-calls.js'

const methods = question((_: 'all') => readMethods())

/** Offers a passkey to a user without one. It is optional. */
export function PasskeyOffer() {
  const [isPutOff, setPutOff] = useState(sessionStorage.getItem('sav-no-passkey') !== null)
  const hasNone = session.value?.utilisateur.passkeys?.length === 0
  const { value: ways } = useRead(methods, hasNone && !isPutOff ? 'all' : null)
  const t = words.value.signIn
  if (!hasNone || isPutOff || !ways?.passkey) return null
  const later = () => {
    sessionStorage.setItem('sav-no-passkey', '1')
    setPutOff(true)
  }
  const add = async () => {
    try {
      await registerPasskey(deviceName(navigator.userAgent, words.value.users.device))
      await readSession()
      say(t.offer.added)
    } catch {
      sayFailed(t.passkeyFailed)
    }
  }
  return (
    <Card title={t.offer.title}>
      <div class="row-apart">
        <p class="muted">{t.offer.text}</p>
        <div class="row">
          <button type="button" class="button" onClick={later}>
            {t.offer.later}
          </button>
          <button type="button" class="button primary" onClick={add}>
            {t.offer.add}
          </button>
        </div>
      </div>
    </Card>
  )
}
