import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { changed } from '../api/changes.js'
import { sav } from '../api/client.js'
import { to } from '../shell/address.js'
import { Form, SelectField, TextArea } from '../system/form.js'
import { say } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { type Chosen, ClientChoice } from './client-choice.js'
import { choices } from './filter.js'
import { PicturesField } from './picture-fields.js'
import type { Picture } from './pictures.js'

export function NewCase() {
  const { route } = useLocation()
  const [client, setClient] = useState<Chosen | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [pictures, setPictures] = useState<readonly Picture[]>([])
  const t = words.value

  const create = async (fields: { text(name: string): string }) => {
    if (client === null) return setMissing(true)
    const { data } = await sav.post('/api/v1/sav', {
      body: {
        client_id: client.id,
        description: fields.text('description'),
        type_probleme: choices.types.find((each) => each === fields.text('type_probleme')),
        priorite: choices.priorites.find((each) => each === fields.text('priorite')),
        photos: pictures.map(({ dataUri }) => dataUri),
      },
    })
    say(t.newCase.created(data.reference))
    changed()
    route(to(`/dossiers/${data.id}`))
  }

  return (
    <Page title={t.newCase.title} narrow up={{ screen: '/dossiers', name: t.cases.title }}>
      <Card>
        <Form keptAs="case/new" submit={t.newCase.create} onSubmit={create} onCancel={() => route(to('/dossiers'))}>
          <ClientChoice
            chosen={client}
            error={isMissing && client === null ? t.newCase.pickClient : null}
            onChoose={setClient}
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
          <div class="field">
            <span class="label">{t.newCase.photos}</span>
            <PicturesField pictures={pictures} onChange={setPictures} />
          </div>
        </Form>
      </Card>
    </Page>
  )
}
