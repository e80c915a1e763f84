/** Where a service tells what it does, as pino has it: what is known as fields, and a sentence. It neither throws nor waits. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Warnings and errors, for who has no logger of their own. */
export const consoleLogger: Logger = {
  info() {},
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
}
