import { prepare, say } from './prepare.mjs'

prepare()
say('built: node_modules/.bin/sav is ready')
