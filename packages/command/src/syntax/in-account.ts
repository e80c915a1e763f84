/** A command to copy, with its account: `sav keys list --account lyon`. */
export const inAccount = (command: string, account: string): string =>
  account === 'default' ? command : `${command} --account ${account}`
