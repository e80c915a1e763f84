import { useEffect, useState } from 'preact/hooks'
import { words } from '../words/words.js'
import { Door, PersonOf } from './door.js'
import { type Candidate, chooseAccount, endChoice, readCandidates, SignInRefused } from './sign-in-calls.js'

/** The identity provider has verified the person, who has several accounts and must choose one. */
export function AccountChoice() {
  const [candidates, setCandidates] = useState<readonly Candidate[]>([])
  const t = words.value.signIn
  const failed = (error: unknown) => endChoice(error instanceof SignInRefused ? 'expire' : 'injoignable')
  useEffect(() => {
    readCandidates().then(setCandidates, failed)
  }, [])
  return (
    <Door title={t.choice.title} lead={t.choice.lead}>
      <div class="stack-small">
        {candidates.map(({ utilisateur, compte }) => (
          <button
            key={utilisateur.id}
            type="button"
            class="button"
            onClick={() => void chooseAccount(utilisateur.id).catch(failed)}
          >
            <span>
              <PersonOf nom={utilisateur.nom} compte={compte} />
              {/* Two accounts may have the same name; the id distinguishes them. */}
              {compte.raison_sociale !== null && <small class="muted"> {compte.id}</small>}
            </span>
          </button>
        ))}
      </div>
    </Door>
  )
}
