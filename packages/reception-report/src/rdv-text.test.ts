import type { LetterOf } from '@sav/core/adapter'
import { describe, expect, it } from 'vitest'
import { carrier, noIntent, server } from '../test/emailing.js'
import { company, rdvLetter } from '../test/letters.js'
import { frenchDates } from './french.js'
import { mailText } from './mail-text.js'

const mailOf = (changes: Partial<LetterOf<'rdv'>> = {}) => {
  const { text, subject, ...rest } = mailText(rdvLetter(changes), frenchDates('UTC'))
  return { ...rest, subject: subject.replaceAll('\u00a0', ' '), text: text.replaceAll('\u00a0', ' ') }
}

describe('a mail about an appointment', () => {
  it('asks for a confirmation, names installer and place, and links to the page', () => {
    const { subject, text, html } = mailOf()
    expect(subject).toBe('Votre rendez-vous du mercredi 18 mars 2026 – Ateliers Lœuvre & Fils')
    expect(text).toBe(
      [
        'Bonjour Maëlle Dupré,',
        'Votre rendez-vous avec Ateliers Lœuvre & Fils est prévu le mercredi 18 mars 2026 à 9 h 30.',
        'Bruno viendra à cette adresse : 12 quai Tilsitt, 69002 Lyon.',
        'Merci de nous dire s’il vous convient. Jusqu’à 24 heures avant, vous pouvez aussi en choisir un autre ou l’annuler, et à tout moment nous laisser un code d’accès.',
        'Confirmer ou changer mon rendez-vous : https://sav.example/rdv/sav_rdv_secret',
        'Moins de 24 heures avant, appelez-nous au 04 78 00 11 22, ou répondez à ce message.',
        'Le fichier joint ajoute le rendez-vous à votre agenda.',
        'Cordialement,\nAteliers Lœuvre & Fils\nTél. 04 78 00 11 22\n',
      ].join('\n\n'),
    )
    expect(html).toContain('href="https://sav.example/rdv/sav_rdv_secret"')
  })

  it('has the time window if there is one, in the appointment’s time zone', () => {
    const fenetre = { debut: '2026-03-18T04:00:00.000Z', fin: '2026-03-18T08:00:00.000Z' }
    expect(mailOf({ ...fenetre, fuseau: 'Indian/Reunion', confirmed: true }).text).toContain(
      'est confirmé pour le mercredi 18 mars 2026 entre 8 h 00 et 12 h 00.',
    )
  })

  it('without a time window has the start and the end, and the previous time as it was announced', () => {
    const fin_prevue = '2026-03-18T10:00:00.000Z'
    expect(mailOf({ fin_prevue }).text).toContain('est prévu le mercredi 18 mars 2026 de 9 h 30 à 11 h 00.')
    const { text } = mailOf({ fin_prevue, before: { debut: '2026-03-17T13:00:00.000Z', fin: null } })
    expect(text).toContain('prévu le mardi 17 mars 2026 à 14 h 00, est déplacé')
    expect(text).toContain('nous viendrons le mercredi 18 mars 2026 de 9 h 30 à 11 h 00.')
  })

  it('names the previous time and the new one of a moved appointment', () => {
    const before = { debut: '2026-03-17T13:00:00.000Z', fin: null }
    const { subject, text } = mailOf({ before })
    expect(subject).toBe('Rendez-vous déplacé au mercredi 18 mars 2026 – Ateliers Lœuvre & Fils')
    const moved = 'Votre rendez-vous avec Ateliers Lœuvre & Fils, prévu le mardi 17 mars 2026 à 14 h 00, est déplacé : '
    expect(text).toContain(`${moved}nous viendrons le mercredi 18 mars 2026 à 9 h 30.`)
    const confirmed = mailOf({ before, confirmed: true })
    expect(confirmed.text).toContain(`${moved}il est confirmé pour le mercredi 18 mars 2026 à 9 h 30.`)
  })

  it('that was cancelled names the time that the customer knows, and removes the appointment from the calendar', () => {
    const cancelled = { about: 'annulation', page_url: null } as const
    const { subject, text } = mailOf(cancelled)
    expect(subject).toBe('Rendez-vous annulé : mercredi 18 mars 2026 à 9 h 30 – Ateliers Lœuvre & Fils')
    expect(text).toBe(
      [
        'Bonjour Maëlle Dupré,',
        'Votre rendez-vous avec Ateliers Lœuvre & Fils, prévu le mercredi 18 mars 2026 à 9 h 30, est annulé : personne ne viendra.',
        'Une question ? Appelez-nous au 04 78 00 11 22, ou répondez à ce message.',
        'Le fichier joint retire le rendez-vous de votre agenda.',
        'Cordialement,\nAteliers Lœuvre & Fils\nTél. 04 78 00 11 22\n',
      ].join('\n\n'),
    )
    const before = { debut: '2026-03-17T13:00:00.000Z', fin: null }
    expect(mailOf({ ...cancelled, before, ical: null }).text).toContain(
      'prévu le mardi 17 mars 2026 à 14 h 00, est annulé',
    )
  })

  it('says in its subject and its text if it is a reminder', () => {
    const { subject, text } = mailOf({ about: 'rappel' })
    expect(subject).toBe('Rappel : votre rendez-vous du mercredi 18 mars 2026 – Ateliers Lœuvre & Fils')
    expect(text).toContain('Nous vous rappelons votre rendez-vous avec Ateliers Lœuvre & Fils, le mercredi 18 mars')
  })

  it('has the shop’s contact data instead of a link if there is no page', () => {
    const without = { page_url: null, ical: null, lieu: null }
    expect(mailOf(without).text).toContain('Un empêchement ? Appelez-nous au 04 78 00 11 22, ou répondez à ce message.')
    expect(mailOf(without).text).toContain('Bruno viendra chez vous.')
    expect(mailOf(without).attachments).toEqual([])
    const { text } = mailOf({ ...without, societe: { ...company, telephone: null, email: null } })
    expect(text).toContain('Un empêchement ? Merci de nous prévenir.')
  })

  it.each([
    [1, '1 minute'],
    [45, '45 minutes'],
    [60, '1 h'],
    [65, '1 h 05'],
    [480, '8 h'],
  ])('calls %i minutes a delay of %s', (retard_minutes, said) => {
    const { subject, text } = mailOf({ about: 'retard', retard_minutes, ical: null })
    expect(subject).toBe(`Environ ${said} de retard – Ateliers Lœuvre & Fils`)
    expect(text).toContain(`attendu chez vous à 9 h 30, il aura environ ${said} de retard.`)
  })

  it('has the calendar file attached', async () => {
    const { port, mails } = await server()
    expect(await carrier(`smtp://127.0.0.1:${port}`).carry(rdvLetter(), noIntent)).toMatchObject({ ok: true })
    const [file, ...others] = mails[0]?.attachments ?? []
    expect(others).toEqual([])
    expect(file).toMatchObject({ filename: 'rendez-vous.ics', contentType: 'text/calendar' })
    expect(file?.content.toString()).toBe(rdvLetter().ical)
  })

  it.each(['confirmation', 'annulation', 'rappel', 'retard'] as const)(
    'has the telephone number in pairs, and as a link: %s',
    (about) => {
      const letter = { about, retard_minutes: 15, societe: { ...company, telephone: '0478001122' } }
      const { text, html } = mailOf(letter)
      expect(text.match(/04 78 00 11 22/g)).toHaveLength(2)
      expect(text).not.toContain('0478001122')
      expect(html).toContain('href="tel:0478001122"')
      const without = mailOf({ ...letter, societe: { ...company, telephone: null } })
      expect(without.text).toMatch(/Ateliers Lœuvre & Fils\n$/)
      expect(without.html).not.toContain('tel:')
    },
  )

  it.each(['confirmation', 'annulation', 'rappel', 'retard'] as const)(
    'names a company without a name the after-sales service, never `default`: %s',
    (about) => {
      const unnamed = { ...company, raison_sociale: null }
      const { subject, text, html } = mailOf({ about, retard_minutes: 15, societe: unnamed })
      expect(subject).toMatch(/ – Service après-vente$/)
      expect(text).toContain('Cordialement,\nService après-vente\n')
      expect(subject + text + html).not.toContain('default')
      const called = { about, retard_minutes: 15, societe: { ...unnamed, nom_expediteur: 'Ateliers SAV' } }
      expect(mailOf(called).subject).toMatch(/ – Ateliers SAV$/)
      const another = { about, retard_minutes: 15, societe: { ...unnamed, account: 'lyon' } }
      expect(mailOf(another).subject).toMatch(/ – lyon$/)
    },
  )

  it('escapes hostile names', () => {
    const evil = '<img src=x onerror=alert(1)>\r\nBcc: eve@evil.example'
    const { subject, html, text } = mailOf({
      client: { nom: evil, prenom: '' },
      societe: { ...company, raison_sociale: evil },
      poseur: evil,
      lieu: evil,
      page_url: 'https://sav.example/"><script>',
    })
    expect(subject).not.toMatch(/\p{Cc}/u)
    expect(html).not.toMatch(/<img|<script|onerror=alert\(1\)>/)
    expect(text).toContain('<img src=x')
  })
})
