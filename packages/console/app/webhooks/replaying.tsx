import { useEffect, useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { type DeliveryFilter, type Replay, sav } from '../api/client.js'
import { saidOf } from '../system/answered.js'
import { Dialog } from '../system/dialog.js'
import { sayFailed } from '../system/notices.js'
import { number } from '../words/formats.js'
import { words } from '../words/words.js'

interface ReplayingProps {
  readonly filter: Pick<DeliveryFilter, 'state' | 'endpoint_id' | 'event' | 'since'>
  readonly onClose: () => void
}

const askEveryMs = 500

/**
 * First counts matching deliveries; then sends them again, shows the progress, and stops on request. If a replay is
 * already running, it is shown.
 */
export function Replaying({ filter, onClose }: ReplayingProps) {
  const [matched, setMatched] = useState<number | null>(null)
  const [replay, setReplay] = useState<Replay | null>(null)
  const { deliveries, webhooks } = words.value
  const t = deliveries.replay
  // By default, failed deliveries are sent again.
  const body = { ...filter, state: filter.state ?? 'failed' }

  const guarded = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      sayFailed(saidOf(error))
    }
  }
  const count = () =>
    guarded(async () => {
      const { data } = await sav.post('/api/v1/webhooks/livraisons/rejouer', { body: { ...body, dry_run: true } })
      setMatched(data.matched)
    })
  const start = () =>
    guarded(async () => {
      const { data } = await sav.post('/api/v1/webhooks/livraisons/rejouer', { body })
      if ('id' in data) await follow(data)
    })
  const follow = async (begun: Replay) => {
    let now = begun
    setReplay(now)
    while (now.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, askEveryMs))
      const params = { replay: now.id }
      now = (await sav.get('/api/v1/webhooks/livraisons/rejouer/{replay}', { params })).data
      setReplay(now)
    }
    changed()
  }
  useEffect(() => {
    void guarded(async () => {
      const { data } = await sav.get('/api/v1/webhooks/livraisons/rejouer')
      const running = data.find(({ state }) => state === 'running')
      if (running) await follow(running)
    })
  }, [])
  const stop = (id: string) =>
    guarded(async () => {
      const { data } = await sav.post('/api/v1/webhooks/livraisons/rejouer/{replay}/annuler', {
        params: { replay: id },
      })
      setReplay(data)
    })

  return (
    <Dialog title={t.title} onClose={onClose}>
      <div class="stack">
        <p>{t.text}</p>
        <p class="row">
          <code>{deliveries.states[body.state]}</code>
          {filter.event && <code>{filter.event}</code>}
          {filter.endpoint_id && <code>{`${webhooks.title} ${filter.endpoint_id}`}</code>}
          {filter.since && <code>{`${deliveries.since} ${filter.since}`}</code>}
        </p>
        <div role="status">
          {replay === null && matched !== null && <p>{t.counted(matched, number(matched))}</p>}
          {replay !== null && <Progress replay={replay} />}
        </div>
        <div class="form-actions">
          {replay?.state === 'running' && (
            <button type="button" class="button" onClick={() => stop(replay.id)}>
              {t.stop}
            </button>
          )}
          {replay === null && (
            <button type="button" class={matched === null ? 'button primary' : 'button'} onClick={count}>
              {t.count}
            </button>
          )}
          {replay === null && matched !== null && matched > 0 && (
            <button type="button" class="button primary" onClick={start}>
              {t.start}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function Progress({ replay: { state, matched, retried } }: { readonly replay: Replay }) {
  const t = words.value.deliveries.replay
  if (state === 'cancelled') return <p>{t.cancelled}</p>
  if (state === 'done') return <p>{t.done(retried, number(retried))}</p>
  return (
    <div class="stack-small">
      <progress value={retried} max={Math.max(1, matched)} aria-label={t.title} />
      <p>{t.running(number(retried), number(matched))}</p>
    </div>
  )
}
