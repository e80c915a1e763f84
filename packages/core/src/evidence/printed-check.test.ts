import { describe, expect, it } from 'vitest'
import { replacing } from '../../../planning/test/replacing.js'
import { as } from '../../test/open-sav.js'
import { closing, house } from '../../test/reporting.js'
import { checkPrinted } from './printed-check.js'

describe('the hash on a report', () => {
  it('is found by all its digits or by the first 16, in upper or lower case', async () => {
    const { sav, actor, account_id, id } = await house()
    await sav.accounts.update(as(account_id), { fuseau: 'Indian/Reunion' })
    const { hash_sha256, date_cloture: date } = await sav.cases.close(actor, id, closing)
    const fuseau = 'Indian/Reunion'
    const stands = { hash_sha256, date, fuseau, dossier: 'conforme', chaine: true, remplace_le: null, sur_place: null }
    for (const asked of [hash_sha256, hash_sha256.toUpperCase(), hash_sha256.slice(0, 16)])
      expect(await sav.evidence.checkPrinted(asked)).toEqual(stands)
    for (const unknown of [hash_sha256.slice(0, 15), `${hash_sha256}0`, '0'.repeat(64), hash_sha256.slice(1), '%', ''])
      expect(await sav.evidence.checkPrinted(unknown)).toBeNull()
  })

  it('shows when a later report replaced it', async () => {
    const { sav, actor, id, clock } = await house()
    const first = await sav.cases.close(actor, id, closing)
    await sav.cases.reopen(actor, id, { motif: 'La porte coince encore.' })
    expect(await sav.evidence.checkPrinted(first.hash_sha256)).toMatchObject({ remplace_le: null })
    await clock.advance(60_000)
    const second = await sav.cases.close(actor, id, closing)
    expect(await sav.evidence.checkPrinted(first.hash_sha256)).toMatchObject({ remplace_le: second.date_cloture })
    expect(await sav.evidence.checkPrinted(second.hash_sha256)).toMatchObject({ chaine: true, remplace_le: null })
  })

  it('is still found after an erasure, if the chain proves it', async () => {
    const { sav, storage, actor, client, id } = await house()
    const { hash_sha256 } = await sav.cases.close(actor, id, closing)
    await sav.directory.clients.erase(actor, client.id)
    expect(await sav.evidence.checkPrinted(hash_sha256)).toMatchObject({ dossier: 'efface', chaine: true })
    // Checks the same marker against a chain without the erasure.
    const { reads } = storage
    const find: typeof reads.evidence.find = async (account_id, sequence) =>
      sequence === 1 ? reads.evidence.find(account_id, sequence) : null
    const cut = { ...reads, evidence: replacing(reads.evidence, { find }) }
    expect(await checkPrinted({ reads: cut, zoneOf: () => 'UTC' }, hash_sha256)).toMatchObject({ dossier: 'altere' })
  })

  it('shows an erased case as changed if the snapshot of its erasure was changed', async () => {
    const { sav, storage, actor, client, id } = await house()
    const { hash_sha256 } = await sav.cases.close(actor, id, closing)
    await sav.directory.clients.erase(actor, client.id)
    const { reads } = storage
    const { hash_dossier } = (await reads.evidence.ofCase(actor.account_id, id)).at(-1) ?? {}
    const told = JSON.stringify({ type: 'effacement', efface: [{ sequence: 1, hash_dossier: hash_sha256 }] })
    for (const forged of [told, 'garbage', null]) {
      const snapshot: typeof reads.evidence.snapshot = async (account_id, hash) =>
        hash === hash_dossier ? forged : reads.evidence.snapshot(account_id, hash)
      const changed = { ...reads, evidence: replacing(reads.evidence, { snapshot }) }
      expect(await checkPrinted({ reads: changed, zoneOf: () => 'UTC' }, hash_sha256)).toMatchObject({
        dossier: 'altere',
        chaine: true,
      })
    }
    expect(await sav.evidence.checkPrinted(hash_dossier ?? '')).toBeNull()
  })

  it('reports a changed case, and an entry that does not match the previous entry', async () => {
    const { sav, storage, actor, client, id } = await house()
    await sav.cases.close(actor, id, closing)
    const other = await sav.cases.create(actor, { client_id: client.id, description: 'Le tiroir du bas grince.' })
    const { hash_sha256 } = await sav.cases.close(actor, other.id, closing)
    const { reads } = storage
    const check = (evidence: Partial<typeof reads.evidence>) =>
      checkPrinted(
        { reads: { ...reads, evidence: replacing(reads.evidence, evidence) }, zoneOf: () => 'UTC' },
        hash_sha256,
      )
    expect(await check({})).toMatchObject({ dossier: 'conforme', chaine: true })
    for (const snapshot of [async () => null, async () => '{}', async () => 'garbage'])
      expect(await check({ snapshot })).toMatchObject({ dossier: 'altere', chaine: true })
    expect(await check({ find: async () => null })).toMatchObject({ dossier: 'conforme', chaine: false })
  })
})

describe('the closes of a case', () => {
  it('are each checked, and an erasure is not counted as a close', async () => {
    const { sav, actor, client, id } = await house()
    await sav.cases.close(actor, id, closing)
    await sav.cases.reopen(actor, id, { motif: 'La porte coince encore.' })
    await sav.cases.close(actor, id, closing)
    const states = async () =>
      (await sav.evidence.checkCase(actor.account_id, id)).map(({ sequence, dossier }) => [sequence, dossier])
    expect(await states()).toEqual([
      [1, 'conforme'],
      [2, 'conforme'],
    ])
    await sav.directory.clients.erase(actor, client.id)
    expect(await states()).toEqual([
      [1, 'efface'],
      [2, 'efface'],
    ])
  })
})
