// Makes the CHANGELOG section of a release, grouped by subject.

/**
 * The headings of a CHANGELOG section, in order. A changeset begins with one of them: `Planning: Visits begin at …`.
 */
export const subjects = [
  'Cases',
  'Evidence and reports',
  'Planning',
  'People and access',
  'Console',
  'Installers’ app',
  'API',
  'Webhooks',
  'Receivers',
  'Embedding',
  'Command',
  'Stores and backups',
  'Operation',
  'Speed',
] as const

/** The heading for changesets that begin with none of these subjects. */
const otherSubject = 'Also'

export interface Changeset {
  readonly packages: readonly string[]
  readonly subject: string
  readonly text: string
}

/**
 * Parses a changeset. It has one or several entries, each of which begins with a subject.
 * @throws Error for a text that is not a changeset
 */
export function readChangeset(content: string): Changeset[] {
  const [, head = '', body = ''] = /^---\n(.*?)^---\n+(.*)$/ms.exec(content) ?? []
  const packages = [...head.matchAll(/^['"](@sav\/[\w-]+)['"]: (?:major|minor|patch)$/gm)].map(([, name = '']) => name)
  if (packages.length === 0 || body.trim() === '') throw new Error(`Not a changeset:\n${content}`)
  return body.split(newSubject).map((told) => {
    const subject = subjects.find((each) => told.startsWith(`${each}: `))
    return {
      packages,
      subject: subject ?? otherSubject,
      text: (subject ? told.slice(subject.length + 2) : told).trim(),
    }
  })
}

const newSubject = new RegExp(`\n\n(?=(?:${subjects.join('|')}): )`)

/** The section of a CHANGELOG for one release of a package. */
export function sectionOf(version: string, changesets: readonly Changeset[]): string {
  const groups = [...subjects, otherSubject].flatMap((subject) => {
    const told = changesets.filter((changeset) => changeset.subject === subject)
    return told.length === 0 ? [] : [`### ${subject}\n\n${told.map(({ text }) => item(text)).join('\n')}`]
  })
  const said =
    groups.length > 0 ? groups : ['Nothing changed in this package: all packages of a release have the same version.']
  return `## ${version}\n\n${said.join('\n\n')}\n`
}

/** Adds a new section to a CHANGELOG, above the others. */
export function withSection(changelog: string | null, name: string, section: string): string {
  const heading = `# ${name}\n\n`
  const earlier = changelog?.startsWith(heading) ? `\n${changelog.slice(heading.length)}` : ''
  return `${heading}${section}${earlier}`
}

/** A list item of the text. Its wrapped lines are joined, since sites wrap to their own width. */
const item = (text: string) => `- ${text.replaceAll(/\n(?!\n|[-*] )/g, ' ').replaceAll(/\n(?!\n)/g, '\n  ')}`
