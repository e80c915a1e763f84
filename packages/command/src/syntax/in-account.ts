/** A command that the user can copy, with the account that it is for: `sav keys list --account lyon`. */
export const inAccount = (command: string, account: string): string =>
  account === 'default' ? command : `${command} --account ${account}`
