/** The claims about a person in an ID token or from the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/** An address, and whether the provider verified it; null: the provider does not say. */
interface FoundEmail {
  readonly email: string | null
  readonly isVerified: boolean | null
}

/**
 * The first address in these claims. Whether it is verified is in `email_verified` (OpenID Connect Core §5.1) or, at
 * Entra ID, in `xms_edov`: a boolean, or from some providers a text or a number. A false outweighs a true. A true
 * beside another address does not count.
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

/** The boolean that a claim stands for; null if it is neither true nor false. */
function truthOf(claim: unknown): boolean | null {
  const text = String(claim).toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : null
}
