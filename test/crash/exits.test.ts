// A start that must fail: another service on the data directory, a damaged setting, a chain other than before.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startOutsideChain } from './chain.ts'
import { run } from './process.ts'
import { newDataDir, startService } from './service.ts'
import { until } from './until.ts'

describe.concurrent('a start', () => {
  it('on a data directory in use by another service exits with 75 and names it', async () => {
    const dataDir = newDataDir()
    const service = await startService({ dataDir })
    const second = run({ dataDir })
    expect(await second.ended).toBe(75)
    expect(second.lines.join('\n')).toContain(dataDir)
    // The first service is not affected.
    await until(async () => (await fetch(`${service.url}/readyz`)).status === 200 || undefined, 'the first is ready')
    expect(await service.stop()).toBe(0)
  })

  it('on a chain directory in use by another process exits with 75 and names it', async () => {
    const dataDir = newDataDir()
    const chain = run({ command: 'localnet', dataDir })
    await chain.find((line) => line.startsWith('holdfast localnet ready') || undefined)
    const service = run({ dataDir })
    expect(await service.ended).toBe(75)
    expect(service.lines.join('\n')).toContain(dataDir)
    chain.signal('SIGTERM')
    expect(await chain.ended).toBe(0)
  })

  it('with a damaged setting exits with 78, names it, and does not change the data', async () => {
    const dataDir = newDataDir()
    const first = await startService({ dataDir })
    expect(await first.stop()).toBe(0)

    const bad = run({ dataDir, settings: { EMBEDDED_SLOT_MS: 'soon', DATADIR: '/nowhere' } })
    expect(await bad.ended).toBe(78)
    for (const name of ['HOLDFAST_EMBEDDED_SLOT_MS', 'HOLDFAST_DATADIR']) expect(bad.lines.join('\n')).toContain(name)

    const path = join(dataDir, 'master.key')
    const key = readFileSync(path, 'utf8')
    const damaged = Buffer.alloc(32, 7).toString('base64')
    writeFileSync(path, damaged)
    const wrong = run({ dataDir })
    expect(await wrong.ended).toBe(78)
    expect(wrong.lines.join('\n')).toContain('HOLDFAST_MASTER_KEY')
    expect(wrong.lines.join('\n')).not.toContain(damaged)
    writeFileSync(path, key)
    const chain = await startOutsideChain()
    const foreign = run({ dataDir, settings: chain.settings })
    expect(await foreign.ended).toBe(78)
    expect(foreign.lines.join('\n')).toContain('CHAIN_DEVNET')

    const last = await startService({ dataDir })
    expect(await last.stop()).toBe(0)
  })
})
