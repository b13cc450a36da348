#!/usr/bin/env node
// `npx holdfast` in the checkout: the command line, with the loader that TypeScript needs.
import { register } from 'tsx/esm/api'

register()
await import('./main.ts')
