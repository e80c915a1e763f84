import { expect, it } from 'vitest'
import { routes } from './all.js'

/** By hand: the other tests of permissions ask the declarations themselves. */
const needs = {
  nobody: [
    ...['getCalendar', 'getRdvPage', 'answerRdvPage', 'checkReport'],
    ...['healthz', 'readyz', 'contract', 'docs', 'docsScript'],
  ],
  'sav:read': [
    ...['listCases', 'getCase', 'getProof', 'checkProof', 'listEvidence', 'getFile', 'getReport', 'previewReport'],
    ...['listenToEvents', 'getAccount', 'getSession', 'signOut', 'removePasskey'],
  ],
  'sav:write': ['createCase', 'updateCase', 'reopenCase', 'sendReport'],
  'sav:close': ['closeCase'],
  'planning:read': ['listRdv', 'listSlots', 'getRdv', 'getHoraires', 'getAbsences', 'getCompetences', 'getRounds'],
  'planning:write': [
    ...['bookRdv', 'changeRdv', 'putHoraires', 'putAbsences', 'putCompetences'],
    ...['optimiseRounds', 'undoRounds'],
  ],
  'planning:read and directory:read': ['renewCalendar', 'renewPoseurCalendar'],
  'directory:read': ['listClients', 'getClient', 'listPoseurs', 'getPoseur'],
  'directory:write': ['addClient', 'updateClient', 'addPoseur', 'updatePoseur'],
  'webhooks:read': [
    ...['listEndpoints', 'getEndpoint', 'getActivity', 'listDeliveries', 'getDelivery'],
    ...['listReplays', 'getReplay', 'getHealth'],
  ],
  'webhooks:write': [
    ...['addEndpoint', 'updateEndpoint', 'removeEndpoint', 'enableEndpoint', 'disableEndpoint', 'rotateSecret'],
    ...['testEndpoint', 'retryDelivery', 'startReplay', 'cancelReplay'],
  ],
  admin: [
    ...['eraseClient', 'updateAccount', 'listAudit'],
    ...['listKeys', 'createKey', 'getKey', 'revokeKey', 'rollKey'],
    ...['listUsers', 'addUser', 'getUser', 'updateUser', 'inviteUser', 'listSessions', 'endSessions', 'endSession'],
  ],
}

it('each operation needs the permission that was decided for it', () => {
  const declared = routes.map(({ name, permission }) => [name, permission && [permission].flat().join(' and ')])
  const decided = Object.entries(needs).flatMap(([permission, names]) =>
    names.map((name) => [name, permission === 'nobody' ? null : permission]),
  )
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(decided))
})
