import { useEffect, useState } from 'preact/hooks'
import { type Invitation, sav, type User } from '../api/client.js'
import { to } from '../session/address.js'
import { Failure } from '../system/answered.js'
import { CopyButton } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { time } from '../words/formats.js'
import { words } from '../words/words.js'

interface InvitingProps {
  readonly user: User
  readonly onClose: () => void
}

/** Sends a link, or shows it once if no e-mail can be sent; it replaces the previous one. */
export function Inviting({ user: { id, nom, role }, onClose }: InvitingProps) {
  const [made, setMade] = useState<Invitation | null>(null)
  const [error, setError] = useState<unknown>(null)
  const t = words.value.users
  const invite = (body: { readonly canal?: 'lien' }) =>
    sav
      .post('/api/v1/utilisateurs/{user}/inviter', { params: { user: id }, body })
      .then(({ data }) => setMade(data), setError)
  useEffect(() => void invite({}), [id])
  return (
    <Dialog title={t.inviteTitle(nom)} onClose={onClose}>
      <div class="stack">
        {error !== null && <Failure error={error} />}
        {made?.canal === 'lien' && <Link made={made} text={role === 'poseur' ? t.inviteFieldText : t.inviteText} />}
        {made?.canal === 'email' && (
          <>
            <p>{t.inviteMailed(made.email)}</p>
            <div class="row-apart">
              <a href={to(`/reglages/api/webhooks/historique/${made.livraison}`)}>{t.inviteFate}</a>
              <button type="button" class="button" onClick={() => invite({ canal: 'lien' })}>
                {t.inviteLink}
              </button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

interface LinkProps {
  readonly made: Extract<Invitation, { canal: 'lien' }>
  readonly text: string
}

function Link({ made, text }: LinkProps) {
  const t = words.value.users
  // A service without a public address only knows the path.
  const url = new URL(made.url, location.origin).href
  return (
    <>
      <p>{text}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <pre tabIndex={0}>{url}</pre>
      <div class="row-apart">
        <span class="muted small">{t.inviteUntil(time(made.expire_a))}</span>
        <CopyButton text={url} name={t.copyLink} label={t.copyLink} />
      </div>
    </>
  )
}
