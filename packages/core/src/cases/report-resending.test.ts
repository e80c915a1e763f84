import { describe, expect, it } from 'vitest'
import { as, openProcess } from '../../test/open-sav.js'
import { accepting, byEmail, carrying, closing, house } from '../../test/reporting.js'
import { noAnswer } from '../testing/index.js'

const refusing = () => carrying(() => ({ ...noAnswer('550 5.1.1 no such user'), final: true }))

/** A later process on the same store, now with e-mail. */
function withEmail({ storage, clock }: Pick<Awaited<ReturnType<typeof house>>, 'storage' | 'clock'>) {
  return openProcess({ storage, clock, reports: byEmail(), seed: 2 })
}

describe('sending the report of a close by hand', () => {
  it('reaches the customer of a case closed before there was a channel', async () => {
    const early = await house()
    const { actor, account_id, id, pv, events, clock } = early
    await early.sav.cases.close(actor, id, closing)
    expect(await pv()).toEqual({ statut: 'non_configure', canaux: [] })
    const { sav, worker } = withEmail(early)
    const sent = await sav.cases.sendReport(actor, id, {})
    expect(sent).toMatchObject({ id, pv: { statut: 'en_file', canaux: [{ canal: 'email', statut: 'en_file' }] } })
    worker.start()
    await clock.advance(2_000)
    expect(await pv()).toMatchObject({ statut: 'envoye', canaux: [{ canal: 'email', statut: 'envoye' }] })
    expect(await events()).toEqual(['sav.report_sent'])
    const { historique } = await sav.cases.get(account_id, id)
    expect(historique.filter(({ type }) => type === 'rapport')).toMatchObject([
      { acteur: { id: 'key_1' }, ancienne_valeur: 'non_configure', nouvelle_valeur: 'en_file', commentaire: 'email' },
      { acteur: { type: 'systeme' }, ancienne_valeur: 'en_file', nouvelle_valeur: 'envoye' },
    ])
    expect((await sav.evidence.verify(account_id)).broken).toEqual([])
    await worker.stop()
  })

  it('sends the report again by one channel, as a separate letter', async () => {
    const [email, whatsapp] = [accepting(), accepting()]
    const { sav, worker, actor, id, pv, events, work } = await house({ email, whatsapp })
    await sav.cases.close(actor, id, closing)
    await work()
    await sav.cases.sendReport(actor, id, { canal: 'whatsapp' })
    await work()
    expect([email.letters.length, whatsapp.letters.length]).toEqual([1, 2])
    // A mailbox recognises a repetition by the letter's id, and hides it. So the ids must differ.
    expect(new Set(whatsapp.letters.map((letter) => letter.id)).size).toBe(2)
    expect(await pv()).toMatchObject({ statut: 'envoye', canaux: [{ canal: 'email' }, { canal: 'whatsapp' }] })
    expect(await events()).toEqual(['sav.report_sent'])
    await worker.stop()
  })

  it('retries a refused report, and emits an event for the outcome', async () => {
    const email = refusing()
    const { sav, worker, actor, id, pv, events, work } = await house({ email })
    await sav.cases.close(actor, id, closing)
    await work()
    expect(await pv()).toMatchObject({ statut: 'echec' })
    await sav.cases.sendReport(actor, id, { canal: 'email' })
    expect(await pv()).toMatchObject({ statut: 'en_file' })
    await work()
    expect(await pv()).toMatchObject({ statut: 'echec', canaux: [{ canal: 'email', statut: 'echec' }] })
    expect(await events()).toEqual(['sav.report_failed', 'sav.report_failed'])
    await worker.stop()
  })

  it('is refused while the report is already on its way by that channel', async () => {
    const { sav, actor, id } = await house({ email: accepting() })
    await sav.cases.close(actor, id, closing)
    await expect(sav.cases.sendReport(actor, id, {})).rejects.toThrow(
      /already on its way by email: retry its delivery dlv_/,
    )
  })

  it('is refused for a case that is not closed, and for one of another account', async () => {
    const { sav, actor, id } = await house({ email: accepting() })
    await expect(sav.cases.sendReport(actor, id, {})).rejects.toThrow(
      /is ouvert: it has a report only once it is closed/,
    )
    await expect(sav.cases.sendReport(as('other'), id, {})).rejects.toMatchObject({ code: 'case_not_found' })
  })

  it('is refused without a channel, or if none reaches the customer', async () => {
    const none = await house()
    await none.sav.cases.close(none.actor, none.id, closing)
    await expect(none.sav.cases.sendReport(none.actor, none.id, {})).rejects.toThrow(/No channel is set up/)
    const { sav } = withEmail(none)
    const { client } = await sav.cases.get(none.account_id, none.id)
    await sav.directory.clients.update(none.actor, client.id, { email: null })
    await expect(sav.cases.sendReport(none.actor, none.id, {})).rejects.toThrow(/add an e-mail address first/)
  })

  it('is refused by a channel that does not reach the customer, or does not exist', async () => {
    const { sav, worker, actor, id, work } = await house({ email: accepting() })
    await sav.cases.close(actor, id, closing)
    await work()
    const details = [{ field: 'canal', message: 'this customer can only be reached by email' }]
    await expect(sav.cases.sendReport(actor, id, { canal: 'whatsapp' })).rejects.toMatchObject({ details })
    const wrong: object = { canal: 'fax' }
    await expect(sav.cases.sendReport(actor, id, wrong)).rejects.toMatchObject({ details: [{ field: 'canal' }] })
    await worker.stop()
  })

  it('is refused for a customer who was erased', async () => {
    const { sav, worker, actor, account_id, id, work } = await house({ email: accepting() })
    await sav.cases.close(actor, id, closing)
    await work()
    const { client } = await sav.cases.get(account_id, id)
    await sav.directory.clients.erase(actor, client.id)
    await expect(sav.cases.sendReport(actor, id, {})).rejects.toThrow(/was erased/)
    await worker.stop()
  })

  it('has a new event if retention has deleted the first one', async () => {
    const first = await house({ email: accepting() })
    const { actor, id, pv, clock, account_id } = first
    await first.sav.cases.close(actor, id, closing)
    await first.work()
    await first.worker.stop()
    await clock.advance(31 * 86_400_000)
    const purged = first.sav.retention.purge()
    await clock.advance(10_000)
    await purged
    expect(await pv()).toMatchObject({ statut: 'envoye', canaux: [] })
    const { sav, worker } = withEmail(first)
    await sav.cases.sendReport(actor, id, {})
    worker.start()
    await clock.advance(2_000)
    expect(await pv()).toMatchObject({ statut: 'envoye', canaux: [{ canal: 'email', statut: 'envoye' }] })
    expect((await sav.evidence.verify(account_id)).broken).toEqual([])
    await worker.stop()
  })
})
