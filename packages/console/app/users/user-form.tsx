import type { User } from '../api/client.js'
import { useRead } from '../api/read.js'
import { allPoseurs } from '../directory/questions.js'
import { type Fields, Form, SelectField, TextField } from '../system/form.js'
import { words } from '../words/words.js'

const roles = ['administration', 'gestion', 'atelier', 'poseur', 'lecture'] as const

interface UserFormProps {
  readonly keptAs: string
  readonly user?: User
  readonly submit: string
  readonly onSubmit: (input: ReturnType<typeof userOf>) => Promise<void>
  readonly onCancel: () => void
}

export function UserForm({ keptAs, user, submit, onSubmit, onCancel }: UserFormProps) {
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const t = words.value.users
  return (
    <Form keptAs={keptAs} submit={submit} onCancel={onCancel} onSubmit={(fields) => onSubmit(userOf(fields))}>
      <TextField name="nom" label={t.nom} value={user?.nom ?? ''} required />
      <TextField name="email" label={t.email} type="email" value={user?.email ?? ''} required />
      <SelectField
        name="role"
        label={t.role}
        value={user?.role ?? 'gestion'}
        options={roles.map((role) => [role, `${t.roles[role]} — ${t.means[role]}`] as const)}
      />
      <SelectField
        name="poseur_id"
        label={t.poseur}
        value={String(user?.poseur_id ?? '')}
        options={[['', t.noPoseur], ...poseurs.map(({ id, nom }) => [String(id), nom] as const)]}
      />
    </Form>
  )
}

const userOf = (fields: Fields) => ({
  nom: fields.text('nom'),
  email: fields.text('email'),
  role: roles.find((role) => role === fields.text('role')) ?? 'lecture',
  poseur_id: Number(fields.text('poseur_id')) || null,
})
