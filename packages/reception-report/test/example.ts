import { writeFile } from 'node:fs/promises'
import { createReportRenderer } from '@sav/reception-report/pdf'

const renderer = createReportRenderer({ timeZone: 'Europe/Paris' })

const pdf = await renderer.render({
  societe: {
    account: 'default',
    raison_sociale: 'Ateliers Lœuvre & Fils',
    adresse: '12 rue de l’Établi\n69003 Lyon',
    siret: '12345678900012',
    email: 'sav@ateliers.example',
    telephone: '04 78 00 11 22',
    assureur: null,
    mediateur: null,
  },
  logo: null,
  reference: 'SAV-2026-00042',
  date_creation: '2026-01-12T08:05:00.000Z',
  date_cloture: '2026-01-15T10:30:00.000Z',
  remplace: null,
  client: { nom: 'Durand', prenom: 'Hélène', telephone: null, adresse: '3 impasse du Noyer, 69100 Villeurbanne' },
  description: 'La porte du four ne ferme plus.',
  type_probleme: 'electromenager',
  poseur: 'Karim Benali',
  photos: [],
  photo_avant: null,
  photo_apres: null,
  resolution: 'Charnière remplacée, porte réglée.',
  reserves: ['Une rayure reste sur la façade.'],
  signature: null,
  signataire_nom: null,
  preuve: { sequence: 42, hash_sha256: 'a5'.repeat(32), hash_entree: '5a'.repeat(32) },
  check_url: null,
  check_address: null,
})
await writeFile('pv.pdf', pdf)
