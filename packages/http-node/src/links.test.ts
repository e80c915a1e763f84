import { describe, expect, it } from 'vitest'
import { as } from '../test/composed.js'
import { fetchDoor, openService } from '../test/service.js'
import { caseOnTheWire, checkUrlOf } from './links.js'

const image = (byte: number) =>
  `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff, 0xe0, byte, 0, 0]).toString('base64')}`

const service = await openService()

async function closedCase(): Promise<number> {
  const { sav, client_id } = service
  const photos = [image(1), 'https://photos.example/porte.jpg']
  const { id } = await sav.cases.create(as('default'), {
    client_id,
    description: 'Le tiroir à casseroles ne coulisse plus.',
    photos,
  })
  await sav.cases.close(as('default'), id, { resolution: 'Coulisses remplacées.', photo_avant: image(2) })
  return id
}

describe('the JSON of a case', () => {
  it('has a link for each of its stored files, and the API answers each link', async () => {
    const id = await closedCase()
    const detail = await service.sav.cases.get('default', id)
    const shown = caseOnTheWire(detail)
    const link = (sha256: string | null) => `/api/v1/sav/${id}/fichiers/${sha256}`
    const [photo] = detail.photos
    expect(shown.photos).toEqual([
      { id: `${id}-1`, url: link(photo !== undefined && 'sha256' in photo ? photo.sha256 : null) },
      { id: `${id}-2`, url: 'https://photos.example/porte.jpg' },
    ])
    expect(shown).toMatchObject({ photo_avant: link(detail.photo_avant), photo_apres: null, signature_client: null })
    const door = fetchDoor(service.api)
    for (const url of [shown.photos[0]?.url ?? '', shown.photo_avant ?? ''])
      expect((await door.call('GET', url, { headers: service.auth() })).status).toBe(200)
  })

  it('equals the API’s answer, including the order of its fields', async () => {
    const id = await closedCase()
    const answer = await fetchDoor(service.api).call('GET', `/api/v1/sav/${id}`, { headers: service.auth() })
    const shown = caseOnTheWire(await service.sav.cases.get('default', id))
    expect(answer.text).toBe(JSON.stringify({ success: true, data: shown }))
  })
})

describe('the address of the check page', () => {
  it.each(['https://sav.example', 'https://sav.example/', 'https://sav.example//'])('is under %s', (publicUrl) => {
    expect(checkUrlOf(publicUrl)('ab12', null)).toBe('https://sav.example/verifier/ab12')
  })

  it('is null if the service has no public address', () => {
    expect(checkUrlOf(null)('ab12', null)).toBeNull()
  })

  it.each([null, 'https://sav.example'])(
    'is under the account’s own address, even if the address of the service is %s',
    (publicUrl) => {
      expect(checkUrlOf(publicUrl)('ab12', 'https://sav.petit.example')).toBe('https://sav.petit.example/verifier/ab12')
    },
  )

  it('is answered by the API', async () => {
    const url = new URL(checkUrlOf('https://sav.example')('0'.repeat(64), null) ?? '')
    expect((await fetchDoor(service.api).call('GET', url.pathname)).text).toContain('Aucune correspondance')
  })
})
