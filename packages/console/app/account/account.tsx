import { useState } from 'preact/hooks'
import { apiBase } from '../api/base.js'
import { changed } from '../api/changes.js'
import { type Account as AccountView, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { OnePictureField } from '../cases/picture-fields.js'
import { dataUriOf, type Picture } from '../cases/pictures.js'
import { LieuFields, lieuOf } from '../directory/lieu-fields.js'
import { may, readSession } from '../session/session.js'
import { Answered } from '../system/answered.js'
import { Labelled } from '../system/bits.js'
import { CheckField, type Fields, Form, SelectField, TextField } from '../system/form.js'
import { say } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { ownAccount } from './questions.js'

type Zone = AccountView['zone_feries']

const isZone = (name: string): name is Zone => name in words.peek().account.zones
const zones = () => Object.keys(words.peek().account.zones satisfies Record<Zone, string>).filter(isZone)

/** The shop's data for reports, letters, and the calendar. */
export function Account() {
  const reading = useRead(ownAccount, 'own')
  const t = words.value.account
  return (
    <Page title={t.title} lead={t.lead} actions={may('admin') && <Preview />}>
      <Answered reading={reading}>{(found) => <AccountForm key={found.id} account={found} />}</Answered>
    </Page>
  )
}

/** Shows the saved data, without unsaved changes. */
function Preview() {
  return (
    <a class="button" href={`${apiBase}/api/v1/compte/apercu-pv`} target="_blank" rel="noreferrer">
      <Labelled icon="file">{words.value.account.preview}</Labelled>
    </a>
  )
}

function AccountForm({ account }: { readonly account: AccountView }) {
  const [logo, setLogo] = useState<Picture | null>(null)
  const t = words.value.account
  const save = async (fields: Fields) => {
    await sav.put('/api/v1/compte', {
      body: {
        raison_sociale: fields.textOrNull('raison_sociale'),
        adresse: fields.textOrNull('adresse'),
        couleur: fields.text('couleur'),
        siret: fields.textOrNull('siret')?.replaceAll(' ', '') ?? null,
        email: fields.textOrNull('email'),
        telephone: fields.textOrNull('telephone'),
        assureur: fields.textOrNull('assureur'),
        mediateur: fields.textOrNull('mediateur'),
        signature_requise: fields.isChecked('signature_requise'),
        confirmation_rdv: fields.isChecked('confirmation_rdv'),
        rappel_rdv: fields.isChecked('rappel_rdv'),
        lieu: lieuOf(fields, account.lieu),
        zone_feries: zones().find((zone) => zone === fields.text('zone_feries')),
        fuseau: fields.textOrNull('fuseau'),
        nom_expediteur: fields.textOrNull('nom_expediteur'),
        repondre_a: fields.textOrNull('repondre_a'),
        url_publique: fields.textOrNull('url_publique'),
        ...(logo !== null && { logo: await dataUriOf(logo) }),
        ...(fields.isChecked('without_logo') && { logo: null }),
      },
    })
    setLogo(null)
    say(words.value.saved)
    changed()
    await readSession()
  }
  if (!may('admin')) return <p class="muted">{account.raison_sociale ?? account.id}</p>
  return (
    <Form keptAs="account" submit={words.value.save} onSubmit={save}>
      <div class="columns">
        <div class="stack">
          <Card title={t.identity}>
            <div class="form">
              <TextField
                name="raison_sociale"
                label={t.raison_sociale}
                value={account.raison_sociale}
                maxLength={200}
              />
              <TextField name="adresse" label={t.adresse} value={account.adresse} maxLength={500} />
              <div class="fields">
                <TextField name="siret" label={t.siret} value={account.siret} maxLength={20} />
                <TextField name="telephone" label={t.telephone} type="tel" value={account.telephone} maxLength={40} />
              </div>
              <TextField name="email" label={t.email} hint={t.emailHint} type="email" value={account.email} />
              <OnePictureField label={t.logo} picture={logo} onChange={setLogo} />
              {account.logo && <CheckField name="without_logo" label={t.withoutLogo} />}
              <TextField name="couleur" label={t.couleur} hint={t.couleurHint} type="color" value={account.couleur} />
            </div>
          </Card>
          <Card title={t.letters}>
            <div class="form">
              <TextField
                name="nom_expediteur"
                label={t.nom_expediteur}
                hint={t.nomExpediteurHint}
                value={account.nom_expediteur}
                placeholder={account.raison_sociale ?? ''}
                maxLength={100}
              />
              <TextField
                name="repondre_a"
                label={t.repondre_a}
                hint={t.repondreHint}
                type="email"
                value={account.repondre_a}
                placeholder={account.email ?? ''}
              />
              <TextField
                name="url_publique"
                label={t.url_publique}
                hint={t.urlPubliqueHint}
                type="url"
                value={account.url_publique}
                placeholder="https://"
              />
            </div>
          </Card>
        </div>
        <div class="stack">
          <Card title={t.report}>
            <div class="form">
              <CheckField
                name="signature_requise"
                label={t.signature_requise}
                hint={t.signatureHint}
                checked={account.signature_requise}
              />
              <TextField name="assureur" label={t.assureur} value={account.assureur} maxLength={500} />
              <TextField name="mediateur" label={t.mediateur} value={account.mediateur} maxLength={500} />
            </div>
          </Card>
          <Card title={t.planning}>
            <div class="form">
              <CheckField name="confirmation_rdv" label={t.confirmation_rdv} checked={account.confirmation_rdv} />
              <CheckField name="rappel_rdv" label={t.rappel_rdv} checked={account.rappel_rdv} />
              <p class="hint">{t.placeHint}</p>
              <LieuFields lieu={account.lieu} />
              <div class="fields">
                <SelectField
                  name="zone_feries"
                  label={t.zone_feries}
                  value={account.zone_feries}
                  options={zones().map((zone) => [zone, t.zones[zone]] as const)}
                />
                <TextField
                  name="fuseau"
                  label={t.fuseau}
                  hint={t.fuseauHint}
                  value={account.fuseau}
                  placeholder="Europe/Paris"
                />
              </div>
            </div>
          </Card>
        </div>
      </div>
    </Form>
  )
}
