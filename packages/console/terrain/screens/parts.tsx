import { useState } from 'preact/hooks'
import { changeDraft, draftOf } from '../state/drafting.js'
import { words } from '../words/words.js'
import { Section } from './frame.js'
import { Icon } from './icons.js'

/** As the service takes them. */
const most = { pieces: 50, quantite: 10_000 }

export function PartsSection({ id }: { readonly id: number }) {
  const [name, setName] = useState('')
  const t = words.value.work
  const { pieces } = draftOf(id)
  const add = () => {
    const designation = name.trim()
    if (designation === '' || pieces.length >= most.pieces) return
    changeDraft(id, { pieces: [...pieces, { designation, quantite: 1 }] })
    setName('')
  }
  const count = (index: number, by: number) =>
    changeDraft(id, {
      pieces: pieces.flatMap((piece, at) => {
        if (at !== index) return [piece]
        const quantite = Math.min(most.quantite, piece.quantite + by)
        return quantite < 1 ? [] : [{ ...piece, quantite }]
      }),
    })
  return (
    <Section title={t.parts}>
      <ul class="parts">
        {pieces.map(({ designation, quantite }, index) => (
          <li key={`${index} ${designation}`}>
            <span>{designation}</span>
            <button
              type="button"
              class="round"
              aria-label={`${t.fewer} : ${designation}`}
              onClick={() => count(index, -1)}
            >
              <Icon name="minus" />
            </button>
            <strong>{quantite}</strong>
            <button
              type="button"
              class="round"
              aria-label={`${t.more} : ${designation}`}
              onClick={() => count(index, 1)}
            >
              <Icon name="plus" />
            </button>
          </li>
        ))}
      </ul>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <label class="field">
          <span class="hidden">{t.part}</span>
          <input
            type="text"
            maxLength={200}
            placeholder={t.part}
            enterkeyhint="done"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button" aria-label={t.addPart}>
          {words.value.add}
        </button>
      </form>
    </Section>
  )
}
