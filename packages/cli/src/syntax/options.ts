import { Option } from 'commander'
import { integer } from './values.js'

export const pageSize = new Option('--limite <n>', 'page size, 1 to 200').argParser(integer)
export const pageNumber = new Option('--page <n>', 'page number').argParser(integer)
