import type { Client } from '../api/client.js'
import { type Fields, TextField } from '../system/form.js'
import { words } from '../words/words.js'

type Lieu = NonNullable<Client['lieu']>

/** Fields for a place, such as where a client lives or an installer's day starts. */
export function LieuFields({
  lieu,
  withAccess = false,
}: {
  readonly lieu: Lieu | null
  readonly withAccess?: boolean
}) {
  const t = words.value.client
  return (
    <>
      <TextField name="ligne1" label={t.ligne1} value={lieu?.ligne1 ?? ''} maxLength={200} />
      <div class="fields">
        <TextField name="code_postal" label={t.code_postal} value={lieu?.code_postal ?? ''} maxLength={10} />
        <TextField name="ville" label={t.ville} value={lieu?.ville ?? ''} maxLength={100} />
      </div>
      {withAccess && <TextField name="acces" label={t.acces} value={lieu?.acces ?? ''} maxLength={500} />}
    </>
  )
}

/**
 * The typed place; null if every field is empty. A field that the form does not show keeps its value. Coordinates are
 * kept only if the address is unchanged.
 */
export function lieuOf(fields: Fields, before: Lieu | null): Partial<Lieu> | null {
  const ligne1 = fields.textOrNull('ligne1')
  const code_postal = fields.textOrNull('code_postal')
  const ville = fields.textOrNull('ville')
  const acces = fields.textOrNull('acces') ?? (fields.has('acces') ? null : (before?.acces ?? null))
  if (ligne1 === null && code_postal === null && ville === null && acces === null) return null
  const isSame = before?.ligne1 === ligne1 && before?.code_postal === code_postal && before?.ville === ville
  return { ligne1, code_postal, ville, acces, ...(isSame && { lat: before.lat, lon: before.lon }) }
}

export const lieuLine = (lieu: Lieu | null): string =>
  [lieu?.ligne1, [lieu?.code_postal, lieu?.ville].filter(Boolean).join(' ')].filter(Boolean).join(', ')
