import { addTypedPart, changeDraft, draftOf } from '../state/drafting.js'
import { words } from '../words/words.js'
import { Section } from './frame.js'
import { Icon } from './icons.js'

/** The service's limit for the quantity of a part. */
const maxQuantite = 10_000

export function PartsSection({ id }: { readonly id: number }) {
  const t = words.value.work
  const { pieces, piece = '' } = draftOf(id)
  const count = (index: number, by: number) =>
    changeDraft(id, {
      pieces: pieces.flatMap((piece, at) => {
        if (at !== index) return [piece]
        const quantite = Math.min(maxQuantite, piece.quantite + by)
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
          addTypedPart(id)
        }}
      >
        <label class="field">
          <span class="hidden">{t.part}</span>
          <input
            type="text"
            maxLength={200}
            placeholder={t.part}
            enterkeyhint="done"
            value={piece}
            onInput={({ currentTarget }) => changeDraft(id, { piece: currentTarget.value || undefined })}
          />
        </label>
        <button type="submit" class="button" aria-label={t.addPart}>
          {words.value.add}
        </button>
      </form>
    </Section>
  )
}
