#!/usr/bin/env -S node --v8-pool-size=0
// The command line: built when its sources have changed, then run.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { built } from './build.mjs'

await import(pathToFileURL(join(await built(), 'main.mjs')).href)
