import { trustedAnswer } from '../../people/src/testing/trusting-passkeys.js'
import { tokenOf } from '../../people/test/people.js'
import { as } from './composed.js'
import type { Answer, Door, Service } from './service.js'

/** A browser on a page of any origin: the headers that it adds, and its cookies. */
export function browserOn(door: Door, { clock }: Pick<Service, 'clock'>, origin: string) {
  const cookies = new Map<string, string>()
  const { host } = new URL(origin)

  function keep({ headers }: Answer): void {
    for (const set of (headers['set-cookie'] ?? '').split(/,(?=__Host)/)) {
      const [, name, value] = /^(__Host-[\w-]+)=([^;]*)/.exec(set) ?? []
      if (name === undefined || value === undefined) continue
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  const headersOf = (more: Record<string, string>) => ({
    host,
    ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
    ...more,
  })

  return {
    cookies,
    async get(path: string, more: Record<string, string> = {}): Promise<Answer> {
      const answer = await door.call('GET', path, { headers: headersOf({ 'sec-fetch-site': 'same-origin', ...more }) })
      keep(answer)
      return answer
    },
    async send(method: string, path: string, body: unknown, more: Record<string, string> = {}): Promise<Answer> {
      const answer = await door.call(method, path, {
        headers: headersOf({
          origin,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'x-sav-console': '1',
          'x-request-timestamp': String(Math.floor(clock.now() / 1000)),
          ...more,
        }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      keep(answer)
      return answer
    },
  }
}

export type Browser = ReturnType<typeof browserOn>

/** A person of the account with this role, and the token of an invitation. */
export async function invited(
  { sav }: Service,
  role: 'administration' | 'gestion' | 'atelier' | 'lecture',
  account_id = 'default',
) {
  const email = `${role}@${account_id}.example`
  const known = (await sav.users.list(account_id)).find((user) => user.email === email)
  const { id } = known ?? (await sav.users.add(as(account_id), { nom: `Claire ${role}`, email, role }))
  return { id, email, token: tokenOf(await sav.users.invite(as(account_id), id)) }
}

/** Signs a person with this role in. */
export async function signIn(
  browser: Browser,
  service: Service,
  role: Parameters<typeof invited>[1],
  account_id?: string,
) {
  const { id, email, token } = await invited(service, role, account_id)
  const answer = await browser.send('POST', '/app/session/invitation', { token })
  return { id, email, answer }
}

/** The browser's answer to a request for a passkey. */
export const answered = (options: { readonly challenge: string }, id: string, origin: string) =>
  trustedAnswer(id, { origin, challenge: options.challenge, key: `key of ${id}` })
