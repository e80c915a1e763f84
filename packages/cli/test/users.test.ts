import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mailServer } from './mail-server.js'
import { readyWorkplace, workplace } from './workplace.js'

interface User {
  readonly id: string
}

const claire = ['--nom', 'Claire Petit', '--email', 'Claire@Petit.example', '--role', 'gestion']

/** Signs in with the link, as its page does. */
async function open(link: string): Promise<Response> {
  const { origin, hash } = new URL(link)
  return enter(origin, hash.slice(1))
}

/** @param origin of the page, if it is not the service's own */
const enter = (service: string, token: string, origin = service) =>
  fetch(`${service}/app/session/invitation`, {
    method: 'POST',
    headers: { origin, 'x-sav-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })

describe('sav users', () => {
  it('adds a user whose link signs in once, and disabling the user ends the session', async () => {
    const shop = await readyWorkplace()
    const { id } = await shop.json<User>(['users', 'add', ...claire])
    expect(await shop.json('users list')).toMatchObject([{ id, email: 'claire@petit.example', role: 'gestion' }])
    const port = new URL((await shop.serveHere()).url).port
    const { url } = await shop.json<{ url: string }>(['users', 'invite', id])
    expect(url).toMatch(new RegExp(`^http://localhost:${port}/app/connexion#sav_inv_`))

    const signedIn = await open(url)
    expect(signedIn.status).toBe(200)
    expect((await open(url)).status).toBe(401)
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const session = () =>
      fetch(`http://localhost:${port}/api/v1/session`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    expect(await (await session()).json()).toMatchObject({ data: { utilisateur: { id } } })
    expect(await shop.json(['users', 'sessions', id])).toMatchObject([{ methode: 'invitation' }])

    expect((await shop.sav(['users', 'disable', id])).code).toBe(2)
    expect(await shop.json(['users', 'disable', id, '--yes'])).toMatchObject({ actif: false })
    await expect.poll(async () => (await session()).status).toBe(401)
    expect((await shop.sav(['users', 'invite', id])).code).toBe(1)
  })

  it('invites by e-mail if that is set up, and leaves the link in no file and no log', async () => {
    const mail = await mailServer()
    const shop = await readyWorkplace({ ...mail.settings, SAV_PUBLIC_URL: 'https://sav.petit.example' })
    const service = shop.serve()
    const here = await service.url()
    const { id } = await shop.json<User>(['users', 'add', ...claire])
    const asked = await shop.json<{ livraison: string }>(['users', 'invite', id, '--mail'])
    expect(asked).toEqual({ canal: 'email', email: 'claire@petit.example', livraison: expect.stringMatching(/^dlv_/) })
    const [letter = ''] = await mail.received(1)
    // Quoted-printable breaks long lines.
    const text = letter.replaceAll('=\r\n', '')
    const token = /https:\/\/sav\.petit\.example\/app\/connexion#(sav_inv_[\w-]{43})/.exec(text)?.[1] ?? ''
    await expect.poll(() => shop.json(['webhooks', 'show', asked.livraison])).toMatchObject({ state: 'delivered' })

    expect((await enter(here, token, 'https://sav.petit.example')).status).toBe(200)
    const again = await shop.sav(['webhooks', 'retry', asked.livraison])
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('is sent once: invite the person again.')])
    for (const filter of [[], ['--endpoint', 'email']])
      expect(
        await shop.json(['webhooks', 'retry', '--state', 'delivered', '--yes', ...filter]),
        filter.join(' '),
      ).toMatchObject({ matched: 0, retried: 0 })
    expect(await shop.json('webhooks history')).toMatchObject([{ state: 'delivered', attempt_count: 1 }])
    expect(await shop.json(['users', 'invite', id])).toMatchObject({ canal: 'lien' })
    const { stderr } = await service.kill('SIGTERM')
    expect(stderr).not.toContain('sav_inv_')
    const files = (await readdir(shop.dir, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
    expect(files.map(({ name }) => name)).toContain('sav.db')
    for (const { parentPath, name } of files)
      expect((await readFile(join(parentPath, name))).includes('sav_inv_'), name).toBe(false)
  })

  it('works over the network with an admin key, and with no other key', async () => {
    const shop = await readyWorkplace()
    const { url } = await shop.serveHere()
    const create = ['keys', 'create', '--name', 'admin', '--permissions', 'admin']
    const { key } = await shop.json<{ key: string }>(create)
    const elsewhere = await workplace({ SAV_API_KEY: key, SAV_URL: url })
    const { id } = await elsewhere.json<User>(['users', 'add', ...claire])
    expect(await elsewhere.json('users list')).toEqual(await shop.json('users list'))
    const invitation = await elsewhere.json<{ url: string }>(['users', 'invite', id])
    expect(invitation.url).toMatch(new RegExp(`^${url}/app/connexion#`))
    expect(await elsewhere.json(['users', 'sessions', id, '--end'])).toEqual({ terminees: 0 })
    expect((await elsewhere.sav('users list', { SAV_API_KEY: await shop.newKey() })).code).toBe(4)
  })
})
