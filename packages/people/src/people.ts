import { createLastUse, type Feature, performing } from '@sav/core/feature'
import { terrainPermission } from '@sav/core/names'
import { sentences } from './refusals.js'
import { sessionStore } from './sessions/session-store.js'
import { createKnownSessions, type Sessions, sessionQueries, sessionWrites } from './sessions/sessions.js'
import { keptSessions } from './sessions/upkeep.js'
import { createChallenges } from './sign-ins/challenges.js'
import type { IdentityProvider } from './sign-ins/identity-provider.js'
import type { PasskeyVerifier } from './sign-ins/passkey-verifier.js'
import { type SignIns, signInQueries, signInWrites } from './sign-ins/sign-ins.js'
import { invitationWriter } from './users/invitations.js'
import { userStore } from './users/user-store.js'
import { knownPerson, type Users, userQueries, userWrites } from './users/users.js'

/** The options of the feature. */
export interface PeopleOptions {
  /** Checks passkeys; without it, passkeys cannot be used. See `@sav/people/sign-in`. */
  readonly passkeyVerifier?: PasskeyVerifier | null
  /** An identity provider; without it, people cannot sign in through one. See `@sav/people/sign-in`. */
  readonly identityProvider?: IdentityProvider | null
}

/** The use cases of this feature, by their names in the service. */
export interface PeopleCases {
  readonly users: Users
  readonly sessions: Sessions
  readonly signIns: SignIns
}

/** The use cases that write. */
export interface PeopleCaseWrites {
  readonly users: ReturnType<typeof userWrites>
  readonly sessions: ReturnType<typeof sessionWrites>
  readonly signIns: ReturnType<typeof signInWrites>
}

/** The feature, as a type: `Sav<PeopleFeature>` has its use cases. */
export type PeopleFeature = Feature<PeopleCases, PeopleCaseWrites>

/** Users of the console: their roles, invitations, sessions, phones and sign-ins. */
export const people = ({ passkeyVerifier = null, identityProvider = null }: PeopleOptions = {}): PeopleFeature => ({
  name: 'people',
  sentences,
  permissions: terrainPermission,
  stores: [userStore, sessionStore],
  compose(parts) {
    const { storage, clock } = parts
    const sessionUse = createLastUse({ storage, clock, write: (tx, uses) => tx.of(sessionStore).noteUse(uses) })
    const own = {
      passkeyVerifier,
      identityProvider,
      knownSessions: createKnownSessions(clock),
      challenges: createChallenges(parts),
      sessionUsed: sessionUse.note,
    }
    return {
      uses: [sessionUse],
      async findPerson(reads, account_id, id) {
        const user = await reads.of(userStore).find(account_id, id)
        return user && knownPerson(user, parts.permissions)
      },
      targetNames: {
        user: async (reads, account_id, id) => (await reads.of(userStore).find(account_id, id))?.nom ?? null,
      },
      on({ storage, reads, hooks }) {
        const deps = { ...parts, ...own, ...hooks, storage, reads }
        const writes = { users: userWrites(deps), sessions: sessionWrites(deps), signIns: signInWrites(deps) }
        return {
          useCases: {
            users: { ...userQueries(deps), ...performing(storage, writes.users) },
            sessions: { ...sessionQueries(deps), ...performing(storage, writes.sessions) },
            signIns: {
              passkeys: passkeyVerifier !== null,
              oidc: identityProvider !== null,
              ...signInQueries(deps),
              ...performing(storage, writes.signIns),
            },
          },
          writes,
        }
      },
    }
  },
  retention: keptSessions,
  letters: (of) => ({ writers: [invitationWriter(of)] }),
})
