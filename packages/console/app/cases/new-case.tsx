import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { changed } from '../api/changes.js'
import { sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { ClientChoice } from '../directory/client-choice.js'
import { allPoseurs, clientById } from '../directory/questions.js'
import { to } from '../session/address.js'
import { type Fields, Form, IncompleteFormError, SelectField, TextArea } from '../system/form.js'
import { say } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { type DraftEnclosures, useDraft } from './drafts.js'
import { choices } from './list/filter.js'
import { PicturesField } from './picture-fields.js'
import { dataUriOf } from './pictures.js'

export function NewCase() {
  const { query, route } = useLocation()
  const clientId = Number(query['client_id']) || null
  // The form for another client has its own draft.
  const draft = useDraft(clientId === null ? 'case/new' : `case/new/${clientId}`)
  const { value: asked = null } = useRead(clientById, clientId)
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const [isMissing, setMissing] = useState(false)
  const t = words.value

  const clientOf = ({ client }: DraftEnclosures) => (client === undefined ? asked : client)

  const create = async (fields: Fields, enclosed: DraftEnclosures) => {
    const { photos = [] } = enclosed
    const client = clientOf(enclosed)
    if (client === null) {
      setMissing(true)
      throw new IncompleteFormError()
    }
    const { data } = await sav.post('/api/v1/sav', {
      body: {
        client_id: client.id,
        description: fields.text('description'),
        type_probleme: choices.types.find((each) => each === fields.text('type_probleme')),
        priorite: choices.priorites.find((each) => each === fields.text('priorite')),
        poseur_id: Number(fields.text('poseur_id')) || null,
        photos: await Promise.all(photos.map(dataUriOf)),
      },
    })
    say(t.newCase.created(data.reference))
    changed()
    route(to(`/dossiers/${data.id}`))
  }

  return (
    <Page title={t.newCase.title} narrow up={{ screen: '/dossiers', name: t.cases.title }}>
      <Card>
        {draft && (
          <Form
            keptAs={draft.texts}
            submit={t.newCase.create}
            onSubmit={(fields) => create(fields, draft.enclosed)}
            onCancel={() => route(to('/dossiers'))}
          >
            <ClientChoice
              typed={query['nom'] ?? ''}
              chosen={clientOf(draft.enclosed)}
              error={isMissing && clientOf(draft.enclosed) === null ? t.newCase.pickClient : null}
              onChoose={(client) => draft.enclose(() => ({ client }))}
            />
            <TextArea
              name="description"
              label={t.newCase.description}
              hint={t.newCase.descriptionHint}
              required
              minLength={10}
              maxLength={2000}
              rows={5}
            />
            <div class="fields">
              <SelectField
                name="type_probleme"
                label={t.cases.type}
                value="autre"
                options={choices.types.map((each) => [each, t.type_probleme[each]] as const)}
              />
              <SelectField
                name="priorite"
                label={t.cases.priorite}
                value="normale"
                options={choices.priorites.map((each) => [each, t.priorite[each]] as const)}
              />
            </div>
            <SelectField
              name="poseur_id"
              label={t.cases.poseur}
              options={[
                ['', t.oneCase.unassigned],
                ...poseurs.filter(({ actif }) => actif).map(({ id, nom }) => [String(id), nom] as const),
              ]}
            />
            <div class="field">
              <span class="label">{t.newCase.photos}</span>
              <PicturesField
                pictures={draft.enclosed.photos ?? []}
                onChange={(change) => draft.enclose(({ photos = [] }) => ({ photos: change(photos) }))}
              />
            </div>
          </Form>
        )}
      </Card>
    </Page>
  )
}
