import { expect, it } from 'vitest'
import { targetOf } from './target.js'

it.each<[string, string[], unknown, string | null]>([
  ['/api/v1/clients/{id}/effacer', ['13'], null, 'client:13'],
  ['/api/v1/sav/{id}/fichiers/{sha256}', ['19', 'ab12'], null, 'case:19'],
  ['/api/v1/planning/{id}', ['5'], null, 'rdv:5'],
  ['/v1/planning/poseurs/{id}/horaires', ['2'], null, 'poseur:2'],
  ['/api/v1/cles/{key}', ['key_1'], null, 'key:key_1'],
  ['/api/v1/webhooks/{endpoint}', ['wh_1'], null, 'endpoint:wh_1'],
  ['/api/v1/webhooks/livraisons/{delivery}', ['dlv_1'], null, 'delivery:dlv_1'],
  ['/api/v1/utilisateurs/{user}/inviter', ['usr_1'], null, 'user:usr_1'],
  ['/api/v1/sav', [], 20, 'case:20'],
  ['/v1/planning/rdv', [], 6, 'rdv:6'],
  ['/api/v1/cles', [], 'key_2', 'key:key_2'],
  ['/api/v1/compte', [], 'default', 'account:default'],
  // A text that is not an id names nothing, and may be a secret.
  ['/api/v1/clients/{id}', ['x'.repeat(64)], null, null],
  ['/api/v1/cles/{key}', [`sav_live_${'x'.repeat(43)}`], null, null],
  ['/api/v1/clients/{id}', ['../1'], null, null],
  ['/api/v1/etiquettes/{nom}', ['sav_live_1'], null, null],
  ['/api/v1/sav', [], null, null],
  ['/api/v1/sav', [], { nom: 'Durand' }, null],
])('a call of %s with the texts %j that created %j has the target %s', (path, texts, made, target) => {
  expect(targetOf(path, texts, made)).toBe(target)
})
