import { type Actor, ValidationError } from '@sav/core'
import {
  companyNow,
  found,
  instant,
  invitationEvent,
  type LetterChannel,
  type LetterWriter,
  lazily,
  type NewId,
  NoLetter,
  named,
  parse,
  type Shape,
  secretOf,
  sha256Of,
  toInstant,
  type WritesOf,
} from '@sav/core/feature'
import type { Clock, Random, Storage, Transaction } from '@sav/core/ports'
import * as z from 'zod'
import type { Inputs } from '../input-types.gen.js'
import { conflict, fieldProblem } from '../refusals.js'
import { sessionStore } from '../sessions/session-store.js'
import { isOfField, type User } from './user.js'
import { userStore } from './user-store.js'

/** How an invitation is sent: by e-mail, or as a link that the caller passes on. Default: by e-mail if possible. */
export const inviteInput = lazily(() => z.strictObject({ canal: z.enum(['email', 'lien']).optional() }))
/** What `users.invite` takes. */
export type InviteInput = Inputs['invite']

export const invitationShape = named(
  'Invitation',
  () =>
    z.discriminatedUnion('canal', [
      z.object({
        canal: z.literal('lien'),
        url: z
          .string()
          .describe(
            'The link, which signs this person in once: `…/app/connexion#sav_inv_…`, or for an installer ' +
              '`…/app/terrain/#sav_inv_…`. Only the path, if the service has no public address.',
          ),
        expire_a: instant(),
      }),
      z.object({
        canal: z.literal('email'),
        email: z.string().describe('The recipient of the letter.'),
        livraison: z.string().describe('`dlv_…`, the delivery of the letter, which has its outcome.'),
      }),
    ]),
  {
    canal: 'lien',
    url: `https://sav.cuisines-petit.example/app/connexion#sav_inv_${'x'.repeat(43)}`,
    expire_a: '2026-01-15T10:45:00.000Z',
  },
)
/**
 * How an invitation was sent. The link signs a person in once, until `expire_a`; only this answer contains its secret.
 * For an e-mail, the link is created when the letter is sent, and its 15 minutes begin then.
 */
export type Invitation = Shape<typeof invitationShape>

/** The first sign-in of a user. */
export interface Invitations {
  /**
   * Lets this user sign in once by a link, for 15 minutes; earlier links end. By default, the link goes by e-mail if
   * the service has a mail server and a public address, and is in this answer otherwise. `canal` chooses one of the
   * two. The secret of the link is after the `#`, which browsers send to no server, and is not stored.
   * @throws NotFoundError, ConflictError for a disabled user, ValidationError for `email` if e-mail is not possible
   */
  invite(actor: Actor, id: string, input?: InviteInput): Promise<Invitation>
}

const invitationMs = 15 * 60_000

interface MintDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
}

/** The page that opens a link, below the public address, for the user's role. */
const pageFor = ({ role }: User): string => (isOfField(role) ? '/app/terrain/' : '/app/connexion')

/** Creates a link and stores its hash. @param page the page that opens the link */
async function mint(tx: Transaction, user: User, page: string, { clock, random }: MintDeps) {
  const { account_id, id: user_id } = user
  const token = secretOf('invitation', random(32))
  const attempt = { hash: sha256Of(token), methode: 'invitation', account_id, user_id } as const
  const expire_a = toInstant(clock.now() + invitationMs)
  await tx.of(sessionStore).addAttempt({ ...attempt, expire_a })
  return { url: `${page}#${token}`, expire_a, hash: attempt.hash }
}

export interface InvitationDeps extends MintDeps {
  readonly newId: NewId
  /** The service's public address, without a trailing slash; null: unknown. */
  readonly publicUrl: string | null
  readonly letterChannels: readonly LetterChannel[]
}

export function invitationWrites(deps: InvitationDeps): WritesOf<Invitations, 'invite'> {
  const { clock, newId, publicUrl, letterChannels } = deps
  // Without a full address, the link in a letter would not work.
  const byEmail = letterChannels.includes('email') && publicUrl !== null

  async function mail(tx: Transaction, page: string, { account_id, id: user_id, email }: User): Promise<Invitation> {
    const id = newId('evt')
    const livraison = newId('dlv')
    await tx.outbox.add({
      id,
      account_id,
      event: invitationEvent,
      body: JSON.stringify({ event: invitationEvent, data: { event_id: id, user_id, page } }),
      created_at: toInstant(clock.now()),
      deliveries: [{ id: livraison, channel: 'email', target: 'email' }],
    })
    return { canal: 'email', email, livraison }
  }

  return {
    invite({ account_id }, id, input = {}) {
      const { canal = byEmail ? 'email' : 'lien' } = parse(inviteInput, input)
      if (canal === 'email' && !byEmail) throw new ValidationError([fieldProblem('canal', 'invitation_not_by_email')])
      return {
        async write(tx) {
          const user = found(await tx.of(userStore).find(account_id, id), 'user', id)
          if (user.desactive_le !== null) throw conflict('user_disabled', { nom: user.nom, id })
          await tx.of(sessionStore).forgetAttempts(account_id, id)
          const page = `${publicUrl ?? ''}${pageFor(user)}`
          if (canal === 'email') return mail(tx, page, user)
          const { url, expire_a } = await mint(tx, user, page, deps)
          return { canal, url, expire_a }
        },
      }
    },
  }
}

const letterBody = lazily(() => z.object({ data: z.object({ user_id: z.string(), page: z.string() }) }))

/**
 * Writes the letter. Each attempt creates its own link, whose secret is only in the letter. No letter is written once
 * the user has signed in.
 */
export function invitationWriter({
  storage,
  ...deps
}: MintDeps & { readonly storage: Pick<Storage, 'reads' | 'transaction'> }): LetterWriter {
  return {
    event: invitationEvent,
    async write({ id, account_id, created_at, body }) {
      const { user_id, page } = letterBody().parse(JSON.parse(body)).data
      const account = found(await storage.reads.accounts.find(account_id), 'account', account_id)
      const { user, link } = await storage.transaction(async (tx) => {
        const user = await tx.of(userStore).find(account_id, user_id)
        if (user === null || user.desactive_le !== null)
          throw new NoLetter('letter_user_gone', `${user_id} is disabled`)
        if (created_at < (user.derniere_connexion ?? ''))
          throw new NoLetter('letter_user_gone', `${user_id} has signed in since`)
        return { user, link: await mint(tx, user, page, deps) }
      })
      return {
        kind: 'invitation',
        // Each attempt has its own id, so that a mailbox does not drop this letter as a repetition of an earlier one.
        id: `${id}.${link.hash.slice(0, 16)}`,
        to: user.email,
        societe: companyNow(account),
        nom: user.nom,
        url: link.url,
        expire_a: link.expire_a,
      }
    },
  }
}
