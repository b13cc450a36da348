#!/usr/bin/env -S node --v8-pool-size=0 --max-semi-space-size=64
// The command line: builds if the sources have changed, then runs.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { built } from './build.mjs'

await import(pathToFileURL(join(await built(), 'main.mjs')).href)
