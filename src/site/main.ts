// Builds the site if it is stale, in a process of its own, so that the service never loads the bundler. Prints the name
// of the folder.
import { existsSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { currentBuild } from './release.ts'

if (!existsSync(currentBuild())) await (await import('./build.ts')).buildSite()
writeSync(1, `${basename(currentBuild())}\n`)
