import type { CommanderError } from 'commander'
import { shellWord } from './shell-word.js'

/** Rewords commander's errors: first what was typed, then what is expected. */
export const wrongUse = ({ message }: Pick<CommanderError, 'message'>): string =>
  message
    .replace(/^error: /, '')
    // An option that also has a short form is named by its long form.
    .replace(/(?<=^(required )?option '|cannot be used with option ')-\w, /g, '')
    .replace(/^option '(--[\w-]+).*?' argument '(.*)' is invalid\. (.*)$/s, (_, option, value, rule) =>
      wrongValue(option, value, rule),
    )
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'\. (.*)$/s, (_, value, name, rule) =>
      wrongValue(`<${name}>`, value, rule),
    )
    .replace(/^required option '(--[\w-]+).*' not specified$/, '$1 is required.')
    .replace(/^missing required argument '(.*)'$/, '<$1> is missing.')
    .replace(/^option '(--[\w-]+).*?' argument missing$/, '$1 needs a value.')
    .replace(/^option '(--[\w-]+).*?' cannot be used with option '(--[\w-]+).*?'$/, '$1 cannot be used with $2.')

const wrongValue = (taker: string, value: string, rule: string): string =>
  `${taker} ${shellWord(value)}: ${rule.replace(/^Allowed choices are/, 'it must be one of').replace(/^It /, 'it ')}`
