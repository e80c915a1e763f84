import { oneLine } from '../terminal/terminal.js'

/** What a webhook tells, as indented JSON that nobody's text can break out of. */
export const payloadLines = (data: unknown): string[] =>
  JSON.stringify(data, null, 2)
    .split('\n')
    .map((line) => `  ${/^ */.exec(line)}${oneLine(line.trimStart())}`)
