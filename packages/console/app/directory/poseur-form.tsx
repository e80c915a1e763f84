import type { Poseur } from '../api/client.js'
import { type Fields, Form, TextField } from '../system/form.js'
import { words } from '../words/words.js'
import { LieuFields, lieuOf } from './lieu-fields.js'

interface PoseurFormProps {
  readonly keptAs: string
  readonly poseur?: Poseur
  readonly submit: string
  readonly onSubmit: (input: ReturnType<typeof poseurOf>) => Promise<void>
  readonly onCancel: () => void
}

export function PoseurForm({ keptAs, poseur, submit, onSubmit, onCancel }: PoseurFormProps) {
  const t = words.value.poseur
  const lieu = poseur?.lieu ?? null
  return (
    <Form keptAs={keptAs} submit={submit} onCancel={onCancel} onSubmit={(fields) => onSubmit(poseurOf(fields, lieu))}>
      <TextField name="nom" label={t.nom} value={poseur?.nom ?? ''} required maxLength={120} />
      <div class="fields">
        <TextField name="email" label={t.email} type="email" value={poseur?.email ?? ''} />
        <TextField name="couleur" label={t.colour} type="color" value={poseur?.couleur ?? '#2f7d5b'} />
      </div>
      <p class="hint">{t.baseHint}</p>
      <LieuFields lieu={lieu} />
    </Form>
  )
}

/** The colour of an installer's visits; null: none was chosen. */
export const colourOf = (poseur: Poseur | undefined): string | null => poseur?.couleur ?? null

export function Swatch({ poseur }: { readonly poseur: Poseur | undefined }) {
  return (
    <svg class="swatch" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={colourOf(poseur) ?? 'currentcolor'} />
    </svg>
  )
}

const poseurOf = (fields: Fields, lieu: Poseur['lieu']) => ({
  nom: fields.text('nom'),
  email: fields.textOrNull('email'),
  couleur: fields.textOrNull('couleur'),
  lieu: lieuOf(fields, lieu),
})
