import { useLocation, useRoute } from 'preact-iso'
import { changed } from '../../api/changes.js'
import { sav } from '../../api/client.js'
import { useRead } from '../../api/read.js'
import { to } from '../../session/address.js'
import { may } from '../../session/session.js'
import { dateOf, dayName, timeOf, today } from '../../session/zone.js'
import { type Fields, Form, IncompleteFormError, SelectField, TextArea, TextField } from '../../system/form.js'
import { say } from '../../system/notices.js'
import { Card, Page } from '../../system/page.js'
import { words } from '../../words/words.js'
import { type DraftEnclosures, useDraft } from '../drafts.js'
import { partsOf } from '../parts.js'
import { OnePictureField } from '../picture-fields.js'
import { dataUriOf } from '../pictures.js'
import { caseById, visitsOfCase } from '../questions.js'
import { Signature } from '../signature.js'
import { endable, endedOf } from '../visit-choice.js'

export function CloseCase() {
  const { params } = useRoute()
  const { route } = useLocation()
  const id = Number(params['id'])
  const { value } = useRead(caseById, id)
  const visits = useRead(visitsOfCase, may('planning:read') ? id : null)
  const draft = useDraft(`close/${id}`)
  const t = words.value.closing
  const reference = value?.found.reference ?? ''
  const known = visits.value ?? []
  const isAsked = visits.value !== undefined || visits.error !== null || !may('planning:read')
  const ended = endedOf(known, (debut) => dateOf(debut) === today())

  const close = async (fields: Fields, { before, after, signature }: DraftEnclosures) => {
    // The signature field already shows this error.
    if (signature?.png === null) throw new IncompleteFormError()
    const signataire_nom = fields.text('signataire_nom')
    const rdv_id = Number(fields.text('rdv_id')) || null
    const pieces = partsOf(fields.text('pieces'))
    const { data } = await sav.post('/api/v1/sav/{id}/cloturer', {
      params: { id },
      body: {
        resolution: fields.text('resolution'),
        reserves: fields
          .text('reserves')
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
        ...(rdv_id !== null && { rdv_id, ...(pieces.length > 0 && { pieces }) }),
        ...(before && { photo_avant: await dataUriOf(before) }),
        ...(after && { photo_apres: await dataUriOf(after) }),
        ...(signature?.png && { signature_client: signature.png }),
        ...(signataire_nom && { signataire_nom }),
      },
    })
    say(t.closed(data.reference))
    changed()
    route(to(`/dossiers/${id}`), true)
    // The closed case is shorter than the form: without this, the page would stay scrolled down.
    scrollTo(0, 0)
  }

  return (
    <Page
      title={t.title(reference)}
      narrow
      up={{ screen: `/dossiers/${id}`, name: reference || words.value.cases.title }}
    >
      <Card>
        {draft && isAsked && (
          <Form
            keptAs={draft.texts}
            submit={t.close}
            onSubmit={(fields) => close(fields, draft.enclosed)}
            onCancel={() => route(to(`/dossiers/${id}`), true)}
          >
            <TextArea
              name="resolution"
              label={t.resolution}
              hint={t.resolutionHint}
              required
              minLength={10}
              maxLength={4000}
              rows={5}
            />
            {endable(known).length > 0 && (
              <>
                <SelectField
                  name="rdv_id"
                  label={t.visit}
                  value={String(ended?.id ?? '')}
                  options={[
                    ['', t.noVisit],
                    ...endable(known).map(({ id, debut, poseur }) => {
                      const when = `${dayName(dateOf(debut))}, ${timeOf(debut)}`
                      return [String(id), `${when}, ${poseur.nom}`] as const
                    }),
                  ]}
                />
                <TextArea name="pieces" label={t.parts} hint={t.partsHint} rows={2} maxLength={5000} />
              </>
            )}
            <div class="fields">
              <OnePictureField
                label={t.before}
                picture={draft.enclosed.before ?? null}
                onChange={(before) => draft.enclose(() => ({ before }))}
              />
              <OnePictureField
                label={t.after}
                picture={draft.enclosed.after ?? null}
                onChange={(after) => draft.enclose(() => ({ after }))}
              />
            </div>
            <TextArea name="reserves" label={t.reserves} hint={t.reservesHint} rows={2} />
            <TextField name="signataire_nom" label={t.signer} maxLength={120} />
            <Signature
              signed={draft.enclosed.signature ?? null}
              onChange={(signature) => draft.enclose(() => ({ signature }))}
            />
            <p class="hint">{t.consequence}</p>
          </Form>
        )}
      </Card>
    </Page>
  )
}
