// The tour succeeds on its own service and on a running one, and fails on any deviation.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ChainReader } from '../../src/cli/chain-reader.ts'
import { findService } from '../../src/cli/find-service.ts'
import { Printer } from '../../src/cli/print.ts'
import { Rest } from '../../src/cli/rest.ts'
import { walk } from '../../src/cli/walk.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { startCommand } from '../config/command-line.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../http/certificate.ts'
import { freshFixture } from './free-ports.ts'
import { startProcess } from './service-process.ts'

const WELL = 'Every step and every balance is as expected.'

/** A stream that is a terminal or not, and the bytes written to it. */
function paper(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream
  return { stream, text: () => String((stream as unknown as PassThrough).read() ?? '') }
}

describe('npm run tour', () => {
  it('starts its own service if none runs, and prints plain text', async () => {
    using fixture = await freshFixture()
    const { code, stdout, stderr } = await startCommand(['tour'], fixture.environment).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('started for this tour')
    expect(stdout).toContain(WELL)
    expect(stdout).not.toContain('\u001b')
  })

  it('runs repeatedly against a running service, and fails without a key', async () => {
    await using service = await startProcess()
    const { environment } = service.fixture
    for (const _ of [1, 2]) {
      const { code, stdout } = await startCommand(['tour'], environment).ended
      expect(stdout).toContain(`Service ${service.url}, already running`)
      expect(stdout).toContain(WELL)
      expect(code).toBe(0)
    }
    const stranger = await startCommand(['tour'], { ...environment, HOLDFAST_BOOTSTRAP_KEY: generateApiKey().apiKey })
      .ended
    expect(stranger).toMatchObject({ code: 1, stderr: '' })
    expect(stranger.stdout).toContain('Not as expected: POST /api/v1/accounts answered 401')
  })
})

describe('the service that a tour starts', () => {
  const KEYS = {
    HOLDFAST_PORT: '0',
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    HOLDFAST_BOOTSTRAP_KEY: generateApiKey().apiKey,
  }

  it('does not use the database, the certificate and the clusters of the settings', async () => {
    using fixture = await freshFixture()
    const place = (name: string, text: string): string => {
      writeFileSync(join(fixture.dataDir, name), text)
      return join(fixture.dataDir, name)
    }
    const settings = loadSettings({
      ...KEYS,
      HOLDFAST_STORE: 'postgres://nobody@127.0.0.1:1/none',
      HOLDFAST_PLAYERS: '',
      HOLDFAST_SECRETS_DIR: fixture.dataDir,
      HOLDFAST_CLUSTERS: '{"CHAIN_DEVNET":"http://127.0.0.1:1"}',
      HOLDFAST_TLS_CERTIFICATE: place('chain.pem', CERTIFICATE),
      HOLDFAST_TLS_KEY: place('key.pem', CERTIFICATE_KEY),
    })
    await using service = await findService(settings)
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:/)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  })

  it('writes nothing into the directories of the settings', async () => {
    using fixture = await freshFixture()
    const folders = ['data', 'archive', 'secrets'].map((name) => join(fixture.dataDir, name))
    for (const folder of folders) mkdirSync(folder, { mode: 0o700 })
    const [dataDir, archiveDir, secretsDir] = folders
    const settings = loadSettings({
      HOLDFAST_PORT: '0',
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_ARCHIVE_DIR: archiveDir,
      HOLDFAST_SECRETS_DIR: secretsDir,
    })
    {
      await using service = await findService(settings)
      await new Rest(service.url, service.key).call('POST', 'accounts', { itemData: { managed: true } })
    }
    expect(folders.flatMap((folder) => readdirSync(folder))).toEqual([])
  })
})

describe('a tour', () => {
  it('fails if the chain does not show the requested result', async () => {
    using fixture = await freshFixture()
    await using service = await findService(loadSettings({ ...fixture.environment, HOLDFAST_PORT: '0' }))
    const rest = new Rest(service.url, service.key)
    const printer = new Printer(paper(false).stream)

    class Short extends ChainReader {
      override async tokens(address: string): Promise<bigint | null> {
        const amount = await super.tokens(address)
        return amount === 25_025n ? 25_024n : amount
      }
    }
    await expect(walk(rest, new Short(service.rpcUrl), printer)).rejects.toThrow('on chain, bob holds 25024, not 25025')

    class Forgetful extends ChainReader {
      override confirmed(signature: string): Promise<void> {
        return super.confirmed(`${signature.slice(0, -4)}1111`)
      }
    }
    await expect(walk(rest, new Forgetful(service.rpcUrl, 200), printer)).rejects.toThrow('has no transaction')
  })
})

describe('the printer', () => {
  it('uses colours only on a terminal', () => {
    const [pipe, terminal] = [paper(false), paper(true)]
    new Printer(pipe.stream).line('done', 'green')
    new Printer(terminal.stream).line('done', 'green')
    expect(pipe.text()).toBe('done\n')
    expect(terminal.text()).toBe('\u001b[32mdone\u001b[0m\n')
  })
})
