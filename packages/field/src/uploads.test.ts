import { describe, expect, it } from 'vitest'
import { day, jpeg, sha256 } from '../../core/test/case-samples.js'
import { openSav } from '../../core/test/open-sav.js'
import { refusal } from '../../planning/test/planning.js'
import { fieldStore } from './field-store.js'
import { purgeField } from './upkeep.js'
import { auteurOf, sentFiles } from './uploads.js'

const photo = Buffer.concat([jpeg, Buffer.alloc(90_000, 7)])
const name = sha256(photo)
const whole = { sha256: name, taille: photo.length, debut: 0, content: photo }
const part = (debut: number, fin: number) => ({ ...whole, debut, content: photo.subarray(debut, fin) })
const asked = { ...whole, content: Buffer.alloc(0) }

describe('a file from the field', () => {
  it('is complete with its last byte; if it is sent again, the answer says that it was complete before', async () => {
    const { sav, storage, actor } = await openSav()
    const done = { recu: photo.length, taille: photo.length, complet: true }
    expect(await sav.field.receive(actor, whole)).toEqual({ ...done, deja: false })
    expect(await sav.field.receive(actor, whole)).toEqual({ ...done, deja: true })
    const [file] = (await sentFiles(storage.reads, actor, [name, sha256(jpeg)])).values()
    expect(file).toMatchObject({ sha256: name, media_type: 'image/jpeg' })
    expect(Buffer.from(file?.content ?? []).equals(photo)).toBe(true)
    expect((await sentFiles(storage.reads, { ...actor, id: 'usr_other' }, [name])).size).toBe(0)
  })

  it('may be sent in parts, with gaps, repetitions and overlaps', async () => {
    const { sav, actor } = await openSav()
    const on = (recu: number) => ({ recu, taille: photo.length, complet: false, deja: false })
    expect(await sav.field.receive(actor, asked)).toEqual(on(0))
    expect(await sav.field.receive(actor, part(0, 40_000))).toEqual(on(40_000))
    expect(await sav.field.receive(actor, asked)).toEqual(on(40_000))
    // A part after a gap, a part that is sent again, and a part that overlaps.
    expect(await sav.field.receive(actor, part(50_000, 60_000))).toEqual(on(40_000))
    expect(await sav.field.receive(actor, part(10_000, 40_000))).toEqual(on(40_000))
    expect(await sav.field.receive(actor, part(30_000, 70_000))).toEqual(on(70_000))
    expect(await sav.field.receive(actor, part(70_000, photo.length))).toMatchObject({ complet: true })
  })

  it('whose content does not match its name is refused, and can be restarted', async () => {
    const { sav, actor } = await openSav()
    await sav.field.receive(actor, { ...part(0, 40_000), content: Buffer.alloc(40_000) })
    const wrong = await refusal(sav.field.receive(actor, part(40_000, photo.length)))
    expect(wrong).toMatchObject({ details: [{ field: 'sha256', code: 'content_hashes_otherwise' }] })
    expect(await sav.field.receive(actor, whole)).toMatchObject({ complet: true, deja: false })
  })

  it('must be an image of at most 5 MiB, named by its SHA-256', async () => {
    const { sav, actor } = await openSav()
    const text = Buffer.from('Bonjour')
    const refused = async (sent: Parameters<typeof sav.field.receive>[1]) =>
      Object(await refusal(sav.field.receive(actor, sent))).details?.map(({ code }: { code: string }) => code)
    expect(await refused({ sha256: sha256(text), taille: text.length, debut: 0, content: text })).toEqual([
      'image_type_not_accepted',
    ])
    const MiB5 = 5 * 1024 * 1024
    expect(await refused({ ...asked, sha256: 'A'.repeat(64), taille: MiB5 + 1 })).toEqual(['not_a_sha256', 'too_large'])
    expect(await sav.field.receive(actor, { ...asked, taille: MiB5 })).toMatchObject({ complet: false })
  })

  it('is deleted after a week', async () => {
    const { sav, actor, storage, clock } = await openSav()
    await sav.field.receive(actor, whole)
    await clock.advance(7 * day)
    await purgeField({ storage, clock })
    expect((await sentFiles(storage.reads, actor, [name])).size).toBe(1)
    await clock.advance(1)
    await purgeField({ storage, clock })
    expect((await sentFiles(storage.reads, actor, [name])).size).toBe(0)
  })

  it('is refused if its sender would have more than half a gigabyte of waiting files', async () => {
    const { sav, actor, storage } = await openSav()
    const big = { ...auteurOf(actor), sha256: '1'.repeat(64), recu: 0, media_type: null }
    const taille = 512 * 1024 * 1024 - photo.length
    const put = (bytes: number) =>
      storage.transaction((tx) =>
        tx.of(fieldStore).putUpload({ ...big, taille: bytes, date: '2026-01-15T10:30:00.000Z' }),
      )
    await put(taille + 1)
    expect(await refusal(sav.field.receive(actor, whole))).toMatchObject({ code: 'uploads_waiting' })
    await put(taille)
    expect(await sav.field.receive(actor, whole)).toMatchObject({ complet: true })
  })
})
