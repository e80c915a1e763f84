import { FieldOption } from './field-command.js'

/** The single-byte encodings in which French tables are saved. */
export const singleByteEncodings = ['windows-1252', 'iso-8859-15', 'cp850', 'macintosh'] as const
/** The name of a single-byte encoding. */
export type SingleByteEncoding = (typeof singleByteEncodings)[number]

/** The option `--encoding` of commands that read a file. */
export const encodingOption = () =>
  new FieldOption(
    '--encoding <name>',
    'encoding of a file that is neither UTF-8 nor UTF-16, if it cannot be detected (cp850: MS-DOS)',
  ).choices([...singleByteEncodings])
