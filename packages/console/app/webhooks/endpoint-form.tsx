import type { Endpoint, EndpointInput } from '../api/client.js'
import { to } from '../session/address.js'
import { CheckField, CheckGroup, type Fields, Form, TextField } from '../system/form.js'
import { words } from '../words/words.js'
import { allKinds } from './kinds.js'

interface EndpointFormProps {
  readonly keptAs: string
  readonly endpoint?: Endpoint
  readonly submit: string
  readonly onSubmit: (input: EndpointInput) => Promise<void>
  readonly onCancel: () => void
}

export function EndpointForm({ keptAs, endpoint, submit, onSubmit, onCancel }: EndpointFormProps) {
  const t = words.value.webhooks
  const read = (fields: Fields) =>
    onSubmit({
      url: fields.text('url'),
      description: fields.textOrNull('description'),
      events: allKinds().filter((kind) => fields.all('events').includes(kind)),
    })
  const tickAll = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const group = currentTarget.closest('fieldset')
    for (const box of group?.querySelectorAll('input') ?? []) box.checked = true
    group?.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <Form keptAs={keptAs} submit={submit} onSubmit={read} onCancel={onCancel}>
      <TextField
        name="url"
        label={t.url}
        hint={t.urlHint}
        type="url"
        value={endpoint?.url ?? ''}
        required
        placeholder="https://"
      />
      <TextField name="description" label={t.description} value={endpoint?.description ?? ''} maxLength={500} />
      <CheckGroup
        name="events"
        label={t.events}
        action={
          <button type="button" class="link small" onClick={tickAll}>
            {t.toggleAll}
          </button>
        }
      >
        {allKinds().map((kind) => (
          <CheckField
            key={kind}
            name="events"
            value={kind}
            label={<code>{kind}</code>}
            hint={
              <>
                {t.kinds[kind]}{' '}
                <a
                  href={`${to('/reglages/api/catalogue')}#${kind}`}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={`${words.value.catalogue.example}: ${kind}`}
                >
                  {words.value.catalogue.example}
                </a>
              </>
            }
            checked={endpoint?.events.includes(kind) ?? false}
          />
        ))}
      </CheckGroup>
    </Form>
  )
}
