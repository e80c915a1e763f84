import { useLocation, useRoute } from 'preact-iso'
import { changed } from '../api/changes.js'
import { sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to } from '../session/address.js'
import { type Fields, Form, TextArea, TextField } from '../system/form.js'
import { say } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { type Enclosed, useDraft } from './drafts.js'
import { OnePictureField } from './picture-fields.js'
import { dataUriOf } from './pictures.js'
import { caseById } from './questions.js'
import { Signature } from './signature.js'

export function CloseCase() {
  const { params } = useRoute()
  const { route } = useLocation()
  const id = Number(params['id'])
  const { value } = useRead(caseById, id)
  const draft = useDraft(`close/${id}`)
  const t = words.value.closing
  const reference = value?.found.reference ?? ''

  const close = async (fields: Fields, { before, after, signature }: Enclosed) => {
    const signataire_nom = fields.text('signataire_nom')
    const { data } = await sav.post('/api/v1/sav/{id}/cloturer', {
      params: { id },
      body: {
        resolution: fields.text('resolution'),
        reserves: fields
          .text('reserves')
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
        ...(before && { photo_avant: await dataUriOf(before) }),
        ...(after && { photo_apres: await dataUriOf(after) }),
        ...(signature && { signature_client: signature.png }),
        ...(signataire_nom && { signataire_nom }),
      },
    })
    say(t.closed(data.reference))
    changed()
    route(to(`/dossiers/${id}`), true)
  }

  return (
    <Page
      title={t.title(reference)}
      narrow
      up={{ screen: `/dossiers/${id}`, name: reference || words.value.cases.title }}
    >
      <Card>
        {draft && (
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
