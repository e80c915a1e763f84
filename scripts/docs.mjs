// npm run docs: builds the site in website/dist, from docs/ and the READMEs.
import { prepare, run, say } from './prepare.mjs'

prepare()
run('vitepress', ['build', 'website'])
say('website/dist/index.html: serve the folder, or view it with node_modules/.bin/vitepress preview website')
