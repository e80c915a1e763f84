import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { replacing } from '../../../planning/test/replacing.js'
import { as, openProcess } from '../../test/open-sav.js'
import { accepting, carrying, closing, house, png, writing } from '../../test/reporting.js'
import type { Storage } from '../storage.js'
import { fixedClock, httpAnswer } from '../testing/index.js'
import { createDrawing } from './drawing.js'

describe('the report of a close', () => {
  it('is drawn once by the worker, from the snapshot alone, and stored by its hash', async () => {
    const { sav, worker, actor, account_id, id, drawn, work, clock } = await house()
    await sav.accounts.update(as(account_id), {
      raison_sociale: 'Cuisines Martin',
      telephone: '04 78 00 11 22',
      logo: png,
    })
    const closed = await sav.cases.close(actor, id, { ...closing, photo_avant: png, signature_client: png })
    expect(await sav.cases.report(account_id, id)).toBeNull()
    await sav.accounts.update(as(account_id), { raison_sociale: 'Autre nom' })
    await work()
    await clock.advance(10_000)

    expect(drawn).toHaveLength(1)
    expect(drawn[0]).toMatchObject({
      societe: { account: 'default', raison_sociale: 'Cuisines Martin', telephone: '04 78 00 11 22', siret: null },
      logo: { media_type: 'image/png' },
      remplace: null,
      client: { nom: 'Martin', prenom: 'Zoé', telephone: '06 12 34 56 78', adresse: '12 quai des Brumes, Lyon' },
      resolution: closing.resolution,
      photo_avant: { url: null, file: { media_type: 'image/png' } },
      photo_apres: null,
      signature: { media_type: 'image/png' },
      preuve: { sequence: 1, hash_sha256: closed.hash_sha256, hash_entree: closed.preuve.hash_entree },
      check_url: `https://sav.example/verifier/${closed.hash_sha256}`,
      check_address: `https://sav.example/verifier/${closed.hash_sha256.slice(0, 16)}`,
    })
    const report = await sav.cases.report(account_id, id)
    expect(report?.media_type).toBe('application/pdf')
    expect(await sav.cases.file(account_id, id, report?.sha256 ?? '')).toEqual(report)
    await worker.stop()
  })

  it('does not exist before the first close, or after a reopening', async () => {
    const { sav, worker, actor, account_id, id, work } = await house()
    const refused = sav.cases.report(account_id, id)
    await expect(refused).rejects.toMatchObject({ kind: 'not_found', code: 'case_not_closed_for_report' })
    await expect(refused).rejects.toThrow(/is ouvert: it has a report only once it is closed/)
    await sav.cases.close(actor, id, closing)
    await work()
    expect(await sav.cases.report('other', id).catch(({ code }) => code)).toBe('case_not_found')
    await sav.cases.reopen(actor, id, { motif: 'La porte coince encore.' })
    await expect(sav.cases.report(account_id, id)).rejects.toThrow(
      /is en_cours: it has a report only once it is closed/,
    )
    await worker.stop()
  })

  it('is drawn again for the next close', async () => {
    const { sav, worker, actor, account_id, id, work, drawn, clock } = await house()
    const reserves = ['Une rayure en bas.', 'Joint à reprendre.']
    const { date_cloture } = await sav.cases.close(actor, id, { ...closing, reserves, signature_client: png })
    await work()
    await sav.cases.reopen(actor, id, { motif: 'La porte coince encore.' })
    await sav.cases.close(actor, id, closing)
    await clock.advance(1_000)
    expect(drawn.map(({ preuve }) => preuve.sequence)).toEqual([1, 2])
    expect(drawn.map(({ remplace }) => remplace)).toEqual([null, { date_cloture, signed: true, reserves }])
    const report = await sav.cases.report(account_id, id)
    expect(new TextDecoder().decode(report?.content)).toContain(' 2')
    await worker.stop()
  })

  it('that two processes draw at once is stored once', async () => {
    const storage = await memoryStorage()
    const first = await house({ storage })
    await first.sav.cases.close(first.actor, first.id, closing)
    const { renderer } = writing()
    const slow = Promise.withResolvers<void>()
    const other = createDrawing({
      recordDrawn: async () => {},
      storage,
      clock: first.clock,
      checkUrl: () => null,
      renderer: {
        render: async (content) => slow.promise.then(() => renderer.render({ ...content, reference: 'other' })),
      },
    })
    const late = other.step()
    await first.work()
    const kept = await first.sav.cases.report('default', first.id)
    slow.resolve()
    await late
    expect(await first.sav.cases.report('default', first.id)).toEqual(kept)
    await first.worker.stop()
  })
})

describe('a report that cannot be drawn', () => {
  it.each<[string, (storage: Storage) => Promise<Storage>]>([
    [
      'because its snapshot is gone',
      async (storage) => {
        const evidence = replacing(storage.reads.evidence, {
          async snapshot(account_id, hash) {
            const first = await storage.reads.evidence.find(account_id, 1)
            return first?.hash_dossier === hash ? null : storage.reads.evidence.snapshot(account_id, hash)
          },
        })
        return { ...storage, reads: { ...storage.reads, evidence } }
      },
    ],
    ['because the renderer fails on it', async (storage) => storage],
  ])('%s does not delay others, and is tried again after a minute', async (why, altered) => {
    const { clock, sav, actor, storage, client } = await house()
    for (let n = 0; n < 2; n += 1) {
      const { id } = await sav.cases.create(actor, { client_id: client.id, description: 'La porte ne ferme plus.' })
      await sav.cases.close(actor, id, closing)
    }
    const tried: number[] = []
    const drawing = createDrawing({
      storage: await altered(storage),
      clock,
      checkUrl: () => null,
      recordDrawn: async () => {},
      renderer: {
        async render({ preuve }) {
          tried.push(preuve.sequence)
          if (preuve.sequence === 1 && why.includes('renderer')) throw new Error('no')
          return new Uint8Array([preuve.sequence])
        },
      },
    })
    const step = () => drawing.step().catch(() => 'failed')
    const steps = [await step(), await step(), await step(), await step()]
    expect(steps.filter((drawn) => drawn === true)).toHaveLength(1)
    expect(steps.at(-1)).toBe(false)
    expect((await storage.reads.reports.undrawn(10, [])).map(({ sequence }) => sequence)).toEqual([1])
    expect(tried.filter((sequence) => sequence === 2)).toHaveLength(1)
    const before = tried.length
    await clock.advance(60_000)
    await step()
    if (why.includes('renderer')) expect(tried.slice(before)).toEqual([1])
  })
})

describe('sending a report', () => {
  it('sends nothing without a channel, and its status says so', async () => {
    const { sav, worker, actor, id, pv, events, work } = await house()
    expect((await sav.cases.close(actor, id, closing)).pv).toEqual({ statut: 'non_configure' })
    await work()
    expect(await pv()).toEqual({ statut: 'non_configure', canaux: [] })
    expect(await events()).toEqual([])
    await worker.stop()
  })

  it('uses each channel, and emits one event when the first accepts', async () => {
    const [email, whatsapp] = [accepting(), accepting()]
    const { sav, worker, actor, account_id, id, pv, events, work } = await house({ email, whatsapp })
    expect((await sav.cases.close(actor, id, { ...closing, signature_client: png })).pv).toEqual({ statut: 'en_file' })
    expect((await pv())?.canaux.map(({ canal, statut }) => [canal, statut])).toEqual([
      ['email', 'en_file'],
      ['whatsapp', 'en_file'],
    ])
    await work()

    expect(email.letters).toHaveLength(1)
    expect(email.letters[0]).toMatchObject({
      kind: 'report',
      id: expect.stringMatching(/^dlv_/),
      to: 'zoe@martin.example',
      signed: true,
      reference: 'SAV-2026-00001',
    })
    expect(whatsapp.letters.map(({ to }) => to)).toEqual(['+33612345678'])
    expect(await pv()).toMatchObject({ statut: 'envoye', canaux: [{ statut: 'envoye' }, { statut: 'envoye' }] })
    expect(await events()).toEqual(['sav.report_sent'])
    const { historique, version } = await sav.cases.get(account_id, id)
    expect(historique.at(-1)).toMatchObject({ type: 'rapport', champ: 'pv', nouvelle_valeur: 'envoye' })
    // The version is 1 after the creation, and grows with the close, the drawing and the sending.
    expect(version).toBe(4)
    await worker.stop()
  })

  it('includes the resolution, and the account’s sender and public address', async () => {
    const email = accepting()
    const { sav, worker, actor, account_id, id, drawn, work } = await house({ email })
    const senders = { nom_expediteur: 'Le SAV', repondre_a: 'sav@martin.example' }
    await sav.accounts.update(as(account_id), { ...senders, url_publique: 'https://sav.martin.example/' })
    const reserves = ['Une rayure en bas.']
    const { hash_sha256 } = await sav.cases.close(actor, id, { ...closing, reserves })
    await sav.accounts.update(as(account_id), { logo: png })
    await work()
    const check_url = `https://sav.martin.example/verifier/${hash_sha256}`
    const { resolution } = closing
    expect(email.letters).toMatchObject([
      { societe: senders, resolution, reserves, check_url, remplace: null, logo: null },
    ])
    expect(drawn).toMatchObject([{ check_url }])
    await worker.stop()
  })

  it('does not use WhatsApp for a customer who has not agreed', async () => {
    const [email, whatsapp] = [accepting(), accepting()]
    const { sav, worker, actor, account_id, id, client, work } = await house({ email, whatsapp })
    await sav.directory.clients.update(as(account_id), client.id, { whatsapp: false })
    await sav.cases.close(actor, id, closing)
    await work()
    expect([email.letters.length, whatsapp.letters.length]).toEqual([1, 0])
    await worker.stop()
  })

  it('does not use WhatsApp if the customer withdraws before it is sent', async () => {
    const whatsapp = accepting()
    const { sav, worker, actor, account_id, id, client, pv, work } = await house({ whatsapp })
    await sav.cases.close(actor, id, closing)
    await sav.directory.clients.update(as(account_id), client.id, { whatsapp: false })
    await work()
    expect(whatsapp.letters).toEqual([])
    expect(await pv()).toMatchObject({ statut: 'echec', canaux: [{ erreur: expect.stringContaining('not agreed') }] })
    await worker.stop()
  })

  it('fails without an address on file, and succeeds once there is one', async () => {
    const email = accepting()
    const { sav, worker, actor, account_id, id, client, pv, events, work, clock } = await house({ email })
    await sav.directory.clients.update(as(account_id), client.id, { email: null })
    await sav.cases.close(actor, id, closing)
    await work()
    const failed = await pv()
    expect(failed).toMatchObject({
      statut: 'echec',
      canaux: [{ erreur: expect.stringContaining('no e-mail address'), code: 'letter_no_email' }],
    })
    expect(await events()).toEqual(['sav.report_failed'])

    await sav.directory.clients.update(as(account_id), client.id, { email: 'zoe@autre.example' })
    await sav.webhooks.deliveries.retry(as(account_id), failed?.canaux[0]?.livraison ?? '')
    await clock.advance(2_000)
    expect(email.letters.map(({ to }) => to)).toEqual(['zoe@autre.example'])
    expect(await pv()).toMatchObject({ statut: 'envoye' })
    expect(await events()).toEqual(['sav.report_sent', 'sav.report_failed'])
    await worker.stop()
  })

  it('gets its final state even if the process ends between the attempt and the event', async () => {
    const email = accepting()
    const storage = await memoryStorage()
    const { sav, worker, actor, id, pv, work, clock } = await house({ email, storage })
    let fails = true
    const { transaction } = storage
    Object.assign(storage, {
      transaction: (work: Parameters<typeof transaction>[0]) =>
        transaction(async (tx) => {
          const reports = replacing(tx.reports, {
            async lock(...which) {
              if (fails && email.letters.length > 0) throw new Error('the process ends here')
              return tx.reports.lock(...which)
            },
          })
          return work({ ...tx, reports })
        }),
    })
    await sav.cases.close(actor, id, closing)
    await work()
    expect(await pv()).toMatchObject({ statut: 'en_file', canaux: [{ statut: 'envoye' }] })
    fails = false
    await clock.advance(1_000)
    expect(await pv()).toMatchObject({ statut: 'envoye' })
    expect(email.letters).toHaveLength(1)
    await worker.stop()
  })

  it('to a customer who was erased meanwhile fails, and that state is final', async () => {
    const email = accepting()
    const { sav, worker, actor, id, client, storage, events, work } = await house({ email })
    await sav.cases.close(actor, id, closing)
    await sav.directory.clients.erase(actor, client.id)
    await work()
    expect(email.letters).toEqual([])
    expect(await storage.reads.reports.unsettled(10)).toEqual([])
    expect(await storage.reads.reports.find('default', 1)).toMatchObject({
      statut: 'echec',
      erased_at: expect.any(String),
    })
    expect(await events()).toEqual(['sav.report_failed'])
    await worker.stop()
  })

  it.each([
    ['accepted', httpAnswer(250, { response: '250 zoe@martin.example: queued' })],
    ['refused for good', httpAnswer(550, { response: '550 zoe@martin.example unknown', error: 'no Zoé', final: true })],
    ['postponed', httpAnswer(450, { response: '450 zoe@martin.example is full', responseHeaders: { to: 'zoe' } })],
  ])('in progress while its customer is erased, and then %s, stores no text of the answer', async (_, answer) => {
    const answered = Promise.withResolvers<void>()
    const email = carrying(async () => {
      await answered.promise
      return answer
    })
    const { sav, worker, actor, id, client, storage, work, clock } = await house({ email })
    await sav.cases.close(actor, id, closing)
    await work()
    expect(email.letters).toHaveLength(1)
    await sav.directory.clients.erase(actor, client.id)
    answered.resolve()
    await clock.advance(1_000)
    const { event_id } = (await storage.reads.reports.find('default', 1)) ?? {}
    const [delivery] = await storage.reads.deliveries.ofEvent('default', event_id ?? '')
    const attempts = await storage.reads.deliveries.attempts('default', delivery?.id ?? '')
    expect(attempts).toMatchObject([{ status: answer.status, response: null, response_headers: null, error: null }])
    expect(JSON.stringify([delivery, attempts])).not.toMatch(/zoe|Zoé/)
    // The worker's next step overwrites the erased data in the store's files.
    expect(await storage.reads.facts.get('erased_and_not_scrubbed')).not.toBeNull()
    await worker.stop()
  })

  it('is not repeated if the process ended in a step that must not be repeated', async () => {
    const whatsapp = carrying(async (_, intend) => {
      await intend()
      return new Promise(() => {})
    })
    const storage = await memoryStorage()
    const { sav, actor, account_id, id, pv, work, clock: before } = await house({ whatsapp, storage })
    await sav.cases.close(actor, id, closing)
    await work()
    expect(whatsapp.letters).toHaveLength(1)

    // Another process takes over once the lease has run out.
    const heirs = accepting()
    const clock = fixedClock(before.now() + 45_000)
    const reports = {
      renderer: writing().renderer,
      carriers: { whatsapp: heirs.carrier },
      checkUrl: () => null,
      timestamper: null,
    }
    const { sav: heir, worker: heirWorker } = openProcess({ clock, storage, reports, seed: 2 })
    heirWorker.start()
    await clock.advance(1_000)
    expect(heirs.letters).toEqual([])
    const { canaux = [], statut } = (await pv()) ?? {}
    expect({ statut, erreur: canaux[0]?.erreur }).toMatchObject({
      statut: 'echec',
      erreur: expect.stringContaining('unknown whether it arrived'),
    })

    // Once the office has asked the customer, it may send the letter again.
    await heir.webhooks.deliveries.retry(as(account_id), canaux[0]?.livraison ?? '')
    await clock.advance(1_000)
    expect(heirs.letters).toHaveLength(1)
    await heirWorker.stop()
  })
})
