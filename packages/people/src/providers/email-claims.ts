/** The claims about a person in an ID token or from the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/** An address, and whether the provider verified it; null: the provider does not say. */
interface FoundEmail {
  readonly email: string | null
  readonly isVerified: boolean | null
}

/**
 * The first address in these claims. A claim says whether it is verified: `email_verified` (OpenID Connect Core §5.1)
 * or, at Entra ID, `xms_edov`, as a boolean, or from some providers as text or a number. A false outweighs a true, and
 * claims beside another address do not count.
 */
export function emailIn(all: readonly Claims[]): FoundEmail {
  const email = all.map(({ email }) => email).find(isAddress) ?? null
  const verdicts = all.flatMap((claims) => {
    const values = [claims['email_verified'], claims['xms_edov']].map(truthOf)
    if (values.includes(false)) return [false]
    return values.includes(true) && claims['email'] === email ? [true] : []
  })
  return { email, isVerified: verdicts.includes(false) ? false : verdicts.includes(true) ? true : null }
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Null: neither true nor false. */
function truthOf(claim: unknown): boolean | null {
  const text = String(claim).toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : null
}
