import { type Command, Option } from 'commander'
import { integer } from './values.js'

export const pageSize = new Option('--limite <n>', 'page size, 1 to 200').argParser(integer)
export const pageNumber = new Option('--page <n>', 'page number').argParser(integer)

/** Of a list by pages. */
export const everyPage = new Option('--all', 'everything, as it comes').conflicts(['page', 'limite', 'watch'])
/** Of a list from the latest on. */
export const everyOlder = new Option('--all', 'everything, as it comes').conflicts(['limit', 'follow'])
/** The largest part that a list gives at once, of pages and of the latest. */
export const largestPage = 200
export const largestPart = 1000

const serviceUrl = new Option('--url <url>', 'a running service to ask instead of the store (SAV_URL)')

/** For a command that works on the store, or on the service that is named. */
export const reaching = (command: Command): Command => command.addOption(serviceUrl)

/** Whether it is one of these. */
export const reaches = ({ options }: Command): boolean => options.includes(serviceUrl)
