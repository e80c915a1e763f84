import { expect, it } from 'vitest'
import { routes, standInsOf } from '../../../../test/whole/routes.js'
import { allFeatures } from '../../../all/src/index.js'
import { allRoutes } from '../../../all/src/routes.js'
import { permissionsOf } from '../../../core/src/access/permissions.js'
import type { AnyRoute } from './declaration/route.js'

/** Written by hand, because the other tests of permissions use the declarations themselves. */
const needs = {
  nobody: [
    ...['getCalendar', 'getRdvPage', 'answerRdvPage', 'checkReport'],
    ...['healthz', 'readyz', 'contract', 'docs', 'docsScript'],
  ],
  'sav:read': [
    ...['listCases', 'getCase', 'getProof', 'checkProof', 'listEvidence', 'getFile', 'getReport', 'previewReport'],
    ...['getAccount', 'listComments', 'listFollowUps', 'search', 'listViews', 'putViews'],
    ...['listOwnSessions', 'endOwnSession'],
  ],
  'sav:read or terrain': ['listenToEvents', 'getSession', 'signOut', 'removePasskey'],
  'sav:write': ['createCase', 'updateCase', 'reopenCase', 'sendReport', 'doneFollowUp'],
  'sav:close': ['closeCase', 'addPhotos'],
  'sav:close or terrain': ['addComment'],
  'planning:read': [
    ...['listRdv', 'listCaseRdv', 'listSlots', 'getRdv'],
    ...['getHoraires', 'getAbsences', 'getCompetences', 'getRounds'],
  ],
  'planning:write or terrain': ['bookRdv', 'changeRdv'],
  'planning:write': [
    ...['putHoraires', 'putAbsences', 'putCompetences'],
    ...['optimiseRounds', 'undoRounds', 'replaceRdv'],
  ],
  'sav:read and planning:read': ['getStatistics'],
  'sav:read and directory:read': ['exportCases'],
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
  terrain: [
    ...['getField', 'getFieldFile', 'getFieldReport', 'listFieldSlots', 'nameDevice', 'sendFile'],
    ...['beginRdv', 'missRdv', 'delayRdv', 'tellIntervention'],
  ],
  admin: [
    ...['eraseClient', 'updateAccount', 'listAudit'],
    ...['listKeys', 'createKey', 'getKey', 'revokeKey', 'rollKey'],
    ...['listUsers', 'addUser', 'getUser', 'updateUser', 'inviteUser', 'listSessions', 'endSessions', 'endSession'],
    ...['listDevices', 'endDevice'],
  ],
}

const neededBy = (route: AnyRoute) =>
  route.permission &&
  [
    [route.permission].flat().join(' and '),
    ...(route.alsoTerrain ? ['terrain'] : []),
    ...standInsOf(route).map(({ permission }) => permission),
  ].join(' or ')

it('each operation needs the permission that is listed here', () => {
  const declared = routes.map((route) => [route.name, neededBy(route)])
  const decided = Object.entries(needs).flatMap(([permission, names]) =>
    names.map((name) => [name, permission === 'nobody' ? null : permission]),
  )
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(decided))
})

it.each(allRoutes.map(({ name }) => name))('feature %s, or one it builds on, declares all its permissions', (name) => {
  const features = allFeatures()
  const withBase = (wanted: string): (typeof features)[number][] =>
    features
      .filter((each) => each.name === wanted)
      .flatMap((each) => [...(each.buildsOn ?? []).flatMap(withBase), each])
  const declared = Object.keys(permissionsOf(withBase(name)))
  const { routes: own = [], alternatives = [] } = allRoutes.find((each) => each.name === name) ?? {}
  const needed = [...own, ...alternatives].flatMap(({ permission }) => permission ?? [])
  expect(needed.filter((each) => !declared.includes(each))).toEqual([])
})
