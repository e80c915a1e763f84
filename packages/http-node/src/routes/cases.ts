import {
  type CaseDetail,
  type Cases,
  closeCaseInput,
  createCaseInput,
  listCasesInput,
  reopenCaseInput,
  updateCaseInput,
} from '@sav/core'
import { etagOf, versionsAccepted } from '../etag.js'
import type { ApiResponse } from '../exchange.js'
import { created, idOf, listed, ok, type Route, read, readOne, write } from './route.js'

const all = '/api/v1/sav'
const one = `${all}/{id}`

export function caseRoutes(cases: Cases): Route[] {
  return [
    read({ pattern: all, permission: 'sav:read', query: listCasesInput }, async ({ actor }, query) =>
      listed(await cases.list(actor.account_id, query)),
    ),
    write({ method: 'POST', pattern: all, permission: 'sav:write', body: createCaseInput }, async ({ actor }, body) =>
      created(all, await cases.create(actor, body)),
    ),
    readOne({ pattern: one, permission: 'sav:read' }, async (call) =>
      detail(await cases.get(call.actor.account_id, idOf(call))),
    ),
    write({ method: 'PUT', pattern: one, permission: 'sav:write', body: updateCaseInput }, async (call, body) => {
      const id = idOf(call)
      const versions = versionsAccepted(call.request.header('if-match'), id)
      return detail(await cases.update(call.actor, id, body, versions))
    }),
    write(
      { method: 'POST', pattern: `${one}/cloturer`, permission: 'sav:write', body: closeCaseInput },
      async (call, body) => ok(await cases.close(call.actor, idOf(call), body)),
    ),
    write(
      { method: 'POST', pattern: `${one}/rouvrir`, permission: 'sav:write', body: reopenCaseInput },
      async (call, body) => detail(await cases.reopen(call.actor, idOf(call), body)),
    ),
  ]
}

const detail = (found: CaseDetail): ApiResponse => ok(found, ['ETag', etagOf(found)])
