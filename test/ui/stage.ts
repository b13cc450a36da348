// Shared by all tests of the pages: the built site, the real service with its embedded chain, and a headless Chromium.
// CHROMIUM names another browser.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { buildSite } from '../../src/site/build.ts'
import { startWorld } from '../e2e/harness.ts'
import { setScene, type Scene } from './scene.ts'

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
/** Flags that a browser in a container needs, and flags that prevent requests to outside hosts. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
]

export interface Stage {
  readonly url: string
  readonly rpcUrl: string
  /** The key with every role. */
  readonly apiKey: string
  readonly scene: Scene
  /** The address at which the browser is reached. */
  readonly browser: string
}

declare module 'vitest' {
  interface ProvidedContext {
    stage: Stage
  }
}

export default async function raise(project: TestProject): Promise<() => Promise<void>> {
  mkdirSync(join(import.meta.dirname, 'screenshots'), { recursive: true })
  const [world, browser] = await Promise.all([
    // Outside of the tests, which the harness asks whose store it is, so this one is named.
    buildSite().then(() => startWorld({}, undefined, { aroundStore: (store) => store })),
    chromium.launchServer({ executablePath: EXECUTABLE, args: ARGUMENTS, headless: true, timeout: 120_000 }),
  ])
  const scene = await setScene(world)
  project.provide('stage', {
    scene,
    url: world.url,
    rpcUrl: world.rpcUrl,
    apiKey: world.api.bearer.slice('Bearer '.length),
    browser: browser.wsEndpoint(),
  })
  return async () => {
    await browser.close()
    await world.stop()
  }
}
