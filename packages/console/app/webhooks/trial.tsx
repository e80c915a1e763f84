import { useState } from 'preact/hooks'
import { type DeliveryDetail, sav } from '../api/client.js'
import { act } from '../system/act.js'
import { Badge, Labelled } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { words } from '../words/words.js'
import { Attempts } from './attempts.js'

const askEveryMs = 300
/**
 * How long a result is awaited. An attempt takes at most 5 seconds, so without a result by then the event is still
 * queued.
 */
const patienceMs = 8000

/** Sends a test event, and shows what the receiver answered. */
export function Trial({ endpoint }: { readonly endpoint: string }) {
  const [isRunning, setRunning] = useState(false)
  const [found, setFound] = useState<DeliveryDetail | null>(null)
  const t = words.value.webhooks
  const run = async () => {
    setRunning(true)
    await act(async () => {
      const { data } = await sav.post('/api/v1/webhooks/{endpoint}/tester', { params: { endpoint } })
      setFound(await attempted(data.delivery_id))
    })
    setRunning(false)
  }
  return (
    <>
      <button type="button" class="button" aria-disabled={isRunning} onClick={() => isRunning || run()}>
        <Labelled icon="send">{isRunning ? t.testing : t.test}</Labelled>
      </button>
      {found && (
        <Dialog title={t.test} onClose={() => setFound(null)}>
          <div class="stack">
            <Badge tone={found.state === 'delivered' ? 'good' : 'bad'}>
              {found.state === 'delivered' ? words.value.deliveries.states.delivered : t.testFailed}
            </Badge>
            <Attempts delivery={found} />
          </div>
        </Dialog>
      )}
    </>
  )
}

async function attempted(delivery: string): Promise<DeliveryDetail> {
  const until = Date.now() + patienceMs
  for (;;) {
    const { data } = await sav.get('/api/v1/webhooks/livraisons/{delivery}', { params: { delivery } })
    if (data.attempts.length > 0 || Date.now() > until) return data
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
  }
}
