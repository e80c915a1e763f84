/** The samples of one scrape, each with its name, labels and value. */
export interface Scrape {
  /** When it was scraped, in milliseconds of a monotonic clock. */
  readonly atMs: number
  readonly samples: readonly Sample[]
}

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads those parts of Prometheus's text format that our own metrics use. */
export function readScrape(text: string, atMs: number): Scrape {
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/\b(\w+)="((?:\\.|[^"\\])*)"/g)].map(([, label, said]) => [label, said]),
    ),
    value: Number(value),
  }))
  return { atMs, samples }
}

type Labels = Readonly<Record<string, string>>

const fits = (sample: Sample, name: string, labels: Labels) =>
  sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)

/** The sum over all samples with this name and these labels; 0 without any. */
export function total({ samples }: Scrape, name: string, labels: Labels = {}): number {
  return samples.filter((sample) => fits(sample, name, labels)).reduce((sum, { value }) => sum + value, 0)
}

/** Whether a scrape has a value with this name and these labels other than NaN. */
export const has = ({ samples }: Scrape, name: string, labels: Labels = {}): boolean =>
  samples.some((sample) => fits(sample, name, labels) && !Number.isNaN(sample.value))

/** The growth of a counter per second between two scrapes; 0 after a reset. */
export function rate(
  before: Scrape,
  now: Scrape,
  counter: { readonly name: string; readonly labels?: Labels },
): number {
  const grown = total(now, counter.name, counter.labels) - total(before, counter.name, counter.labels)
  const seconds = (now.atMs - before.atMs) / 1000
  return grown <= 0 || seconds <= 0 ? 0 : grown / seconds
}

/**
 * The upper bound, in seconds, of `share` of the values that a histogram counted between two scrapes; null if it
 * counted none.
 */
export function quantile(
  before: Scrape,
  now: Scrape,
  histogram: { readonly name: string; readonly share: number },
): number | null {
  const name = `${histogram.name}_bucket`
  const bounds = [...new Set(now.samples.filter((each) => each.name === name).map(({ labels }) => labels['le'] ?? ''))]
  const grown = (le: string) => total(now, name, { le }) - total(before, name, { le })
  const ascending = bounds.filter((le) => le !== '+Inf').sort((a, b) => Number(a) - Number(b))
  const all = grown('+Inf')
  if (all <= 0) return null
  return Number(ascending.find((le) => grown(le) >= histogram.share * all) ?? Number.POSITIVE_INFINITY)
}
