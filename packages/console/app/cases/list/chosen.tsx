import { changed } from '../../api/changes.js'
import { type CaseSummary, sav } from '../../api/client.js'
import { useRead } from '../../api/read.js'
import { allPoseurs } from '../../directory/questions.js'
import { saidOf } from '../../system/answered.js'
import { say, sayFailed } from '../../system/notices.js'
import type { Column } from '../../system/table.js'
import { words } from '../../words/words.js'

/** The columns, with a checkbox before each reference. */
export function withBoxes(
  [first, ...others]: readonly Column<CaseSummary>[],
  chosen: ReadonlySet<number>,
  onChoose: (id: number) => void,
): readonly Column<CaseSummary>[] {
  if (first === undefined) return []
  const cell = (row: CaseSummary) => (
    <>
      <label class="row-box">
        <input
          type="checkbox"
          aria-label={words.value.cases.choose(row.reference)}
          checked={chosen.has(row.id)}
          onChange={() => onChoose(row.id)}
        />
      </label>
      {first.cell(row)}
    </>
  )
  return [{ ...first, width: `calc(${first.width} + 1.75rem)`, cell }, ...others]
}

interface ChosenProps {
  readonly cases: readonly CaseSummary[]
  readonly onDone: () => void
}

/** Actions on several cases at once. */
export function Chosen({ cases, onDone }: ChosenProps) {
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const t = words.value
  const assign = async (poseur_id: number | null) => {
    const before = cases.map(({ id, poseur_assigne }) => ({ id, poseur_id: poseur_assigne?.id ?? null }))
    const done = await assignEach(cases.map(({ id }) => ({ id, poseur_id })))
    const name = poseurs.find(({ id }) => id === poseur_id)?.nom ?? t.oneCase.unassigned
    const back = before.filter(({ id }) => done.includes(id))
    if (done.length > 0) say(t.cases.assigned(done.length, name), () => assignEach(back))
    onDone()
  }
  return (
    <fieldset class="chosen-bar" aria-label={t.cases.chosen(cases.length)}>
      <strong>{t.cases.chosen(cases.length)}</strong>
      <select
        class="small"
        aria-label={t.cases.assignTo}
        value=""
        onChange={({ currentTarget: { value } }) => assign(Number(value) || null)}
      >
        <option value="" disabled>
          {t.cases.assignTo}
        </option>
        {poseurs
          .filter(({ actif }) => actif)
          .map(({ id, nom }) => (
            <option key={id} value={id}>
              {nom}
            </option>
          ))}
        <option value="0">{t.oneCase.unassigned}</option>
      </select>
      <button type="button" class="button small" onClick={onDone}>
        {t.cases.chooseNone}
      </button>
    </fieldset>
  )
}

interface Assignment {
  readonly id: number
  readonly poseur_id: number | null
}

/** Assigns one case after the other. Resolves to the ids of the accepted ones; reports why others were refused. */
async function assignEach(assignments: readonly Assignment[]): Promise<readonly number[]> {
  const done: number[] = []
  for (const { id, poseur_id } of assignments) {
    try {
      await sav.put('/api/v1/sav/{id}', { params: { id }, body: { poseur_id } })
      done.push(id)
    } catch (error) {
      sayFailed(saidOf(error))
    }
  }
  changed()
  return done
}
