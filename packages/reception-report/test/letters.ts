import { hash } from 'node:crypto'
import type { LetterOf } from '@sav/core/adapter'

export const company = {
  account: 'default',
  raison_sociale: 'Ateliers Lœuvre & Fils',
  adresse: null,
  siret: null,
  email: 'sav@ateliers.example',
  telephone: '04 78 00 11 22',
  assureur: null,
  mediateur: null,
  nom_expediteur: null,
  repondre_a: null,
  couleur: '#17507a',
} as const

export const reportLetter = (changes: Partial<LetterOf<'report'>> = {}): LetterOf<'report'> => ({
  kind: 'report',
  id: 'dlv_01J0000000000000000000TEST',
  to: 'maelle@client.example',
  societe: company,
  client: { nom: 'Dupré', prenom: 'Maëlle' },
  reference: 'SAV-2026-00042',
  date_cloture: '2026-01-15T23:30:00.000Z',
  signed: true,
  remplace: null,
  resolution: 'Charnière "du bas" remplacée; porte réglée.\nEssai en présence du client.',
  reserves: [],
  hash_sha256: hash('sha256', 'dossier'),
  check_url: null,
  logo: null,
  pdf: Buffer.from('%PDF-1.7 the report'),
  ...changes,
})

export const noticeLetter = (notice: LetterOf<'notice'>['notice']): LetterOf<'notice'> => ({
  kind: 'notice',
  id: 'dlv_notice',
  to: 'sav@ateliers.example',
  societe: company,
  notice,
})

export const invitationLetter: LetterOf<'invitation'> = {
  kind: 'invitation',
  id: 'dlv_invitation.0123456789abcdef',
  to: 'claire@ateliers.example',
  societe: company,
  nom: 'Claire Petit',
  url: `https://sav.example/app/connexion#sav_inv_${'x'.repeat(43)}`,
  expire_a: '2026-01-15T10:45:00.000Z',
}

export const rdvLetter = (changes: Partial<LetterOf<'rdv'>> = {}): LetterOf<'rdv'> => ({
  kind: 'rdv',
  id: 'dlv_rdv',
  to: 'maelle@client.example',
  societe: company,
  logo: null,
  client: { nom: 'Dupré', prenom: 'Maëlle' },
  about: 'confirmation',
  confirmed: false,
  before: null,
  debut: '2026-03-18T08:30:00.000Z',
  fin: null,
  fin_prevue: null,
  fuseau: 'Europe/Paris',
  lieu: '12 quai Tilsitt, 69002 Lyon',
  poseur: 'Bruno',
  retard_minutes: null,
  page_url: 'https://sav.example/rdv/sav_rdv_secret',
  ical: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
  ...changes,
})
