import type { Sav } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { peopleTime } from '../terminal/people-time.js'
import { table } from '../terminal/table.js'
import { caseParams } from './case-id.js'
import { photosOf } from './cases.js'

export async function commentCase(
  context: Context,
  id: string,
  { texte }: Parameters<Sav['cases']['comment']>[2],
): Promise<Output> {
  const api = await context.api()
  const params = await caseParams(api, id)
  const { data: comment } = await api.post('/api/v1/sav/{id}/commentaires', { params, body: { texte } })
  return { json: comment, text: `Added comment ${comment.id}.` }
}

export async function listComments(
  context: Context,
  id: string,
  { limite }: { readonly limite?: number },
): Promise<Output> {
  const api = await context.api()
  const params = await caseParams(api, id)
  const { data: comments } = await api.get('/api/v1/sav/{id}/commentaires', { params, query: { limite } })
  const local = peopleTime(context)
  const rows = comments.map(({ date, acteur, texte }) => [local.fromNow(date), acteur.nom, texte])
  return { json: comments, text: table(context.terminal, ['WHEN', 'WHO', 'TEXT'], rows, 'No comment yet.') }
}

interface AddPhotosOptions extends Pick<Parameters<Sav['cases']['addPhotos']>[2], 'rdv_id'> {
  readonly photo: readonly string[]
}

export async function addPhotos(context: Context, id: string, { photo, rdv_id }: AddPhotosOptions): Promise<Output> {
  const api = await context.api()
  const params = await caseParams(api, id)
  const body = { photos: await photosOf(context, photo), rdv_id }
  const { data: added } = await api.post('/api/v1/sav/{id}/photos', { params, body })
  return { json: added, text: added.map(({ id: name, url }) => `${name}  ${url}`).join('\n') }
}
