import type { Client } from '../api/client.js'
import { CheckField, type Fields, Form, TextField } from '../system/form.js'
import { words } from '../words/words.js'
import { LieuFields, lieuOf } from './lieu-fields.js'

interface ClientFormProps {
  readonly keptAs: string
  readonly client?: Pick<Client, 'nom' | 'prenom'> & Partial<Client>
  readonly submit: string
  readonly onSubmit: (input: ReturnType<typeof clientOf>) => Promise<void>
  readonly onCancel: () => void
}

export function ClientForm({ keptAs, client, submit, onSubmit, onCancel }: ClientFormProps) {
  const t = words.value.client
  const lieu = client?.lieu ?? null
  return (
    <Form keptAs={keptAs} submit={submit} onCancel={onCancel} onSubmit={(fields) => onSubmit(clientOf(fields, lieu))}>
      <div class="fields">
        <TextField name="prenom" label={t.prenom} value={client?.prenom ?? ''} maxLength={120} />
        <TextField name="nom" label={t.nom} value={client?.nom ?? ''} required maxLength={120} />
      </div>
      <TextField name="raison_sociale" label={t.raison_sociale} value={client?.raison_sociale ?? ''} maxLength={200} />
      <div class="fields">
        <TextField name="email" label={t.email} type="email" value={client?.email ?? ''} />
        <TextField name="telephone" label={t.telephone} type="tel" value={client?.telephone ?? ''} />
      </div>
      <CheckField name="whatsapp" label={t.whatsapp} checked={client?.whatsapp ?? false} />
      <LieuFields lieu={lieu} withAccess />
    </Form>
  )
}

/** The fields of a new client from a search text: a name, or a telephone number. */
export function namedBy(typed: string): Pick<Client, 'nom' | 'prenom'> & Partial<Client> {
  if (/^[+\d][\d\s.()-]+$/.test(typed)) return { nom: '', prenom: '', telephone: typed }
  const [first = '', ...rest] = typed.split(' ')
  return rest.length > 0 ? { prenom: first, nom: rest.join(' ') } : { prenom: '', nom: first }
}

function clientOf(fields: Fields, lieu: Client['lieu']) {
  return {
    nom: fields.text('nom'),
    prenom: fields.text('prenom'),
    raison_sociale: fields.textOrNull('raison_sociale'),
    email: fields.textOrNull('email'),
    telephone: fields.textOrNull('telephone'),
    whatsapp: fields.isChecked('whatsapp'),
    lieu: lieuOf(fields, lieu),
  }
}
