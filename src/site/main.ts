// Builds the site when it is stale: a process of its own, so that the service never loads the bundler.
import { existsSync } from 'node:fs'
import { currentBuild } from './release.ts'

if (!existsSync(currentBuild())) await (await import('./build.ts')).buildSite()
