import { useEffect, useState } from 'preact/hooks'
import { sav, type User } from '../api/client.js'
import { Failure } from '../system/answered.js'
import { CopyButton } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { time } from '../words/formats.js'
import { words } from '../words/words.js'

interface InvitingProps {
  readonly user: User
  readonly onClose: () => void
}

/** Makes a link, which ends the one before it, and shows it once. */
export function Inviting({ user: { id, nom }, onClose }: InvitingProps) {
  const [made, setMade] = useState<{ readonly url: string; readonly expire_a: string } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const t = words.value.users
  useEffect(() => {
    sav
      .post('/api/v1/utilisateurs/{user}/inviter', { params: { user: id } })
      .then(({ data }) => setMade(data), setError)
  }, [id])
  // The service that is not told its public address knows the path alone.
  const url = made && new URL(made.url, location.origin).href
  return (
    <Dialog title={t.inviteTitle(nom)} onClose={onClose}>
      <div class="stack">
        {error !== null && <Failure error={error} />}
        {made && url && (
          <>
            <p>{t.inviteText}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
            <pre tabIndex={0}>{url}</pre>
            <div class="row-apart">
              <span class="muted small">{t.inviteUntil(time(made.expire_a))}</span>
              <CopyButton text={url} name={t.copyLink} label={t.copyLink} />
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}
