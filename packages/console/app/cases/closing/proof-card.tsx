import { useState } from 'preact/hooks'
import type { CaseDetail } from '../../api/client.js'
import { saidOf } from '../../system/answered.js'
import { Copyable, Labelled, Time } from '../../system/bits.js'
import { Icon } from '../../system/icons.js'
import { Card } from '../../system/page.js'
import { moment } from '../../words/formats.js'
import { words } from '../../words/words.js'
import { checkProof, type ProofCheck } from './proof.js'

type Check = ProofCheck | 'checking' | { readonly failed: string } | null

/** The evidence of a close, and a button that checks it in this browser instead of trusting the service. */
export function ProofCard({ found: { id, preuve } }: { readonly found: CaseDetail }) {
  const [check, setCheck] = useState<Check>(null)
  const t = words.value.oneCase.proof
  const last = preuve.at(-1)
  if (last === undefined) return null
  const run = async () => {
    setCheck('checking')
    setCheck(await checkProof(id, last.sequence).catch((error: unknown) => ({ failed: saidOf(error) })))
  }
  return (
    <Card title={t.title}>
      <div class="stack">
        <p class="muted small">{t.text}</p>
        <ul class="stack-small">
          {preuve.toReversed().map(({ sequence, date, hash_sha256 }) => (
            <li key={sequence}>
              <div class="row-apart">
                <span>{t.sequence(sequence)}</span>
                <span class="muted small">
                  <Time at={date}>{moment(date)}</Time>
                </span>
              </div>
              <Copyable
                text={hash_sha256}
                shown={`${hash_sha256.slice(0, 12)}…${hash_sha256.slice(-8)}`}
                name={t.hash}
              />
            </li>
          ))}
        </ul>
        <div role="status">{check !== null && <Verdict check={check} />}</div>
        {isSecureContext ? (
          <button type="button" class="button" onClick={run}>
            <Labelled icon="shield">{t.check}</Labelled>
          </button>
        ) : (
          <p class="small muted">{t.insecure}</p>
        )}
      </div>
    </Card>
  )
}

function Verdict({ check }: { readonly check: Exclude<Check, null> }) {
  const t = words.value.oneCase.proof
  if (check === 'checking') return <p class="muted">{t.checking}</p>
  if ('failed' in check) return <p class="failure">{check.failed}</p>
  const holds = check.content !== false && check.entry && check.chain
  return (
    <div class="stack-small">
      <p class={holds ? 'hint-box good' : 'failure'}>
        <Icon name={holds ? 'check' : 'warning'} />
        <strong>{holds ? t.verdictGood : t.verdictBad}</strong>
      </p>
      <ul class="small stack-small">
        <li>{check.content === null ? t.erased : check.content ? t.content.good : t.content.bad}</li>
        <li>{check.entry ? t.entry.good : t.entry.bad}</li>
        <li>{check.chain ? t.chain.good : t.chain.bad}</li>
      </ul>
      <p class="small muted">{t.here}</p>
    </div>
  )
}
