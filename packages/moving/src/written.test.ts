import { expect, it } from 'vitest'
import { businessCalendar } from '../../core/src/time/time.js'
import {
  isDateAlone,
  writtenEmails,
  writtenId,
  writtenInstant,
  writtenPriorite,
  writtenStatut,
  writtenTelephone,
  writtenTypeProbleme,
} from './written.js'

const paris = businessCalendar('Europe/Paris')

it.each([
  ['03/04/2024', '2024-04-02T22:00:00.000Z'],
  ['3/4/24', '2024-04-02T22:00:00.000Z'],
  ['03-04-2024 14:30', '2024-04-03T12:30:00.000Z'],
  ['03.04.2024 14h30', '2024-04-03T12:30:00.000Z'],
  ['03/04/2024 à 14:30:05', '2024-04-03T12:30:05.000Z'],
  ['2024-04-03', '2024-04-02T22:00:00.000Z'],
  ['2024-01-03 09:05:00', '2024-01-03T08:05:00.000Z'],
  ['2024-01-03T09:05:00+02:00', '2024-01-03T07:05:00.000Z'],
  ['29/02/2024', '2024-02-28T23:00:00.000Z'],
  ['14-05-2024 10:12', '2024-05-14T08:12:00.000Z'],
  ['2024-05-14 10:12:00 UTC', '2024-05-14T10:12:00.000Z'],
  ['2024-05-14T10:12:33.123Z', '2024-05-14T10:12:33.123Z'],
  ['2024-05-14 10:12:33.123456', '2024-05-14T08:12:33.000Z'],
  ['2024-05-14 10:12:33+02:00', '2024-05-14T08:12:33.000Z'],
])('the date %s is read as the instant %s', (text, instant) => {
  expect(writtenInstant(text, paris)).toBe(instant)
})

it.each([
  ['03/04/2024', true],
  ['2024-04-03', true],
  ['2024-04-03 00:00:00', true],
  ['03/04/2024 0h', true],
  ['03/04/2024 00:01', false],
  ['2024-04-03 00:00:01', false],
  ['2024-04-03T00:00:00Z', false],
  ['hier', false],
])('%s is a date without a time of day: %s', (text, isAlone) => {
  expect(isDateAlone(text)).toBe(isAlone)
  const [early, late] = [0, 480].map((beginning) => writtenInstant(text, paris, beginning))
  expect(early === late).toBe(!isAlone)
})

it.each(['', 'hier', '31/02/2024', '29/02/2023', '2024-13-01', '03/04/2024 24:00', '03/04/2024 12:60', '45123'])(
  '%j is not read as a date',
  (text) => {
    expect(writtenInstant(text, paris)).toBeNull()
  },
)

it.each([
  [
    'GLPI',
    'Nouveau | New',
    'En cours (Attribué) | En cours (Planifié) | En attente | Processing (assigned) | Processing (planned) | Pending',
    'Résolu | Clos | Solved | Closed',
  ],
  [
    'Dolibarr',
    'Non lu | Lu | Assigné | Not read | 0 | 1 | 2',
    "En cours | En attente d'information | Répondu | En attente | Needs more information | 3 | 5 | 7",
    'Fermé | Supprimé | Closed | Deleted | 8 | 9',
  ],
  [
    'Zammad',
    'new | open | nouveau | ouvert',
    'pending reminder | pending close | en attente de rappel',
    'closed | merged | removed | clôturé | fusionné',
  ],
  [
    'Odoo',
    'New | Nouveau | Nouvelle demande',
    'In Progress | On Hold | En cours | En attente',
    'Solved | Done | Cancelled | Résolu | Annulé | Repaired',
  ],
  ['ERPNext', 'Open | Ouvert', 'Replied | On Hold | Work In Progress | Répondu', 'Resolved | Closed | Résolu | Fermé'],
])('reads the states of %s', (_, ouvert, en_cours, clos) => {
  const words = { ouvert, en_cours, clos }
  for (const [word, written] of Object.entries(words))
    for (const each of written.split(' | ')) expect([each, writtenStatut(each)]).toEqual([each, word])
})

it.each([
  [
    'GLPI',
    'Très basse | Basse | Very low | Low',
    'Moyenne | Medium',
    'Haute | High',
    'Très haute | Majeure | Very high | Major',
  ],
  ['Dolibarr', 'Faible | LOW', 'Normal | NORMAL', 'Élevé | HIGH', 'Critique/Bloquant | BLOCKING'],
  ['Zammad', '1 low | 1 basse', '2 normal | 2 normale', '3 high | 3 élevée', ''],
  [
    'Odoo',
    'Low priority | Priorité basse',
    'Medium priority | Priorité moyenne',
    'High priority | Priorité haute',
    'Urgent',
  ],
  ['ERPNext', 'Low | Bas', 'Medium | Moyen', 'High | Haut', 'Urgent'],
])('reads the priorities of %s', (_, basse, normale, haute, urgente) => {
  const words = { basse, normale, haute, urgente }
  for (const [word, written] of Object.entries(words))
    for (const each of written.split(' | ').filter(Boolean)) expect([each, writtenPriorite(each)]).toEqual([each, word])
})

it('unknown words are read as null', () => {
  expect(['peut-être', '', '4', '?'].map(writtenStatut)).toEqual([null, null, null, null])
  expect(['?', '1', ''].map(writtenPriorite)).toEqual([null, null, null])
  expect(['Plan_travail', 'plan travail', 'vis'].map(writtenTypeProbleme)).toEqual([
    'plan_travail',
    'plan_travail',
    null,
  ])
})

it.each([
  ['claire@x.example ', ['claire@x.example']],
  ['\u{A0}claire@x.example\u{A0}', ['claire@x.example']],
  ['claire@x.example; luc@x.example', ['claire@x.example', 'luc@x.example']],
  ['claire@x.example,luc@x.example / noe@x.example', ['claire@x.example', 'luc@x.example', 'noe@x.example']],
  ['claire@x.example\nluc@x.example;', ['claire@x.example', 'luc@x.example']],
  ['claire@x.example et luc@x.example', ['claire@x.example', 'luc@x.example']],
  ['Claire Durand <claire@x.example>', ['claire@x.example']],
  ['"Durand, Claire" <claire@x.example>; mailto:luc@x.example', ['claire@x.example', 'luc@x.example']],
  ['claire@x.example; claire@x.example', ['claire@x.example']],
  ['claire durand@x.example', ['claire durand@x.example']],
  ['à demander', ['à demander']],
])('the cell %j is read as the e-mail addresses %j', (cell, addresses) => {
  expect(writtenEmails(cell)).toEqual(addresses)
})

it.each([
  ['612345678', '0612345678'],
  ['6 12 34 56 78', '0612345678'],
  ['612345678.0', '0612345678'],
  ['6,12345678E+08', '0612345678'],
  ['33612345678', '+33612345678'],
  ['262692123456', '+262692123456'],
  ['06 12 34 56 78', '06 12 34 56 78'],
  ['+33 6 12 34 56 78', '+33 6 12 34 56 78'],
  // These numbers have lost digits.
  ['6,12346E+08', '6,12346E+08'],
  ['12345', '12345'],
])('the telephone number %s is read as %s', (cell, telephone) => {
  expect(writtenTelephone(cell)).toBe(telephone)
})

it.each([
  ['1 024', '1024'],
  ['1\u{202F}024\u{A0}512', '1024512'],
  ['C 12', 'C 12'],
  ['12 34', '12 34'],
  ['0 612', '0 612'],
])('the id %j is read as %s', (cell, id) => {
  expect(writtenId(cell)).toBe(id)
})
