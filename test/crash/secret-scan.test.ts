// A search for every secret of a run, in every form, in all that the run leaves: files, log, answers, events, a backup.
// Secrets are found in the two key files and in the answers that return them, and nowhere else.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { expect, it } from 'vitest'
import type { Body } from './api.ts'
import { startCommand } from '../config/command-line.ts'
import { newDataDir, startService } from './service.ts'

const KEY_FILES = ['bootstrap.key', 'master.key']

function filesIn(path: string): string[] {
  return readdirSync(path).flatMap((name) =>
    statSync(join(path, name)).isDirectory() ? filesIn(join(path, name)) : [join(path, name)],
  )
}

const formsOf = (secret: Uint8Array): string[] => {
  const bytes = Buffer.from(secret)
  return [
    ...(['hex', 'base64', 'base64url', 'latin1'] as const).map((form) => bytes.toString(form).slice(0, 42)),
    bs58.encode(bytes),
  ]
}

it('finds each secret only in the places where it belongs', async () => {
  const dataDir = newDataDir()
  const playerKeys = [1, 2, 3].map(() => randomBytes(32))
  const playerSettings = Object.fromEntries(
    playerKeys.map((key, index) => [`PLAYER_P${index + 1}_KEY`, key.toString('base64')]),
  )
  const service = await startService({ dataDir, settings: { ...playerSettings, LOG_LEVEL: 'trace' } })
  const answers: string[] = []
  const make = async (path: string, itemData: object): Promise<Body> => {
    const { body } = await service.api.send('POST', path, itemData)
    answers.push(JSON.stringify(body))
    return body
  }
  const importedKeys = [Keypair.generate(), Keypair.generate()]
  for (const [index, location] of ['DATABASE', 'SECRETS'].entries()) {
    const privateKey = bs58.encode(importedKeys[index]!.secretKey)
    await make('/accounts', { privateKeyDetails: { location: [location], privateKey } })
    await make('/accounts', { onchainId: Keypair.generate().publicKey.toBase58(), privateKeyDetails: { privateKey } })
  }
  await make('/accounts', { privateKeyDetails: { location: ['DKG'] } })
  const creation = await make('/accounts', {})
  const details = (await service.api.get('/accounts/single/private-key', creation['newAccount'] as object))[
    'privateKeyDetails'
  ]
  const exported = bs58.decode((details as { privateKey: string }).privateKey)
  // Answers that return an API key are not among the searched ones.
  const newKey = await service.api.make('/admin/api-keys', {
    organizationExternalId: 'SYSTEM',
    name: 'scanned',
    bundle: 'VIEWER',
  })
  const apiKeys = [newKey['apiKey'] as string, readFileSync(join(dataDir, 'bootstrap.key'), 'utf8').trim()]
  const hook = await service.api.make('/webhooks', { url: 'https://hooks.example/', eventTypes: ['account.*'] })
  const events = await fetch(`${service.url}/api/v1/events`, { headers: { authorization: `Bearer ${apiKeys[1]!}` } })
  const eventText = await events.text()
  expect(eventText).toContain('account.created')
  answers.push(eventText)
  const masterKey = Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8').trim(), 'base64')
  expect(await service.stop()).toBe(0)
  // Its rows are uncompressed, unlike the tables of the database.
  const backup = `${dataDir}.backup`
  const { code, stderr } = await startCommand(['backup', backup], { HOLDFAST_DATA_DIR: dataDir }).ended
  expect(code, stderr).toBe(0)

  const seeds = [...importedKeys.map(({ secretKey }) => secretKey), exported].flatMap((key) => [
    key.subarray(0, 32),
    key,
  ])
  const secrets = [...seeds, masterKey, ...playerKeys].flatMap(formsOf)
  secrets.push((hook['secret'] as string).slice('whsec_'.length))
  for (const apiKey of apiKeys) secrets.push(apiKey.slice(16, 59), ...formsOf(Buffer.from(apiKey.slice(16, 59))))
  const files = filesIn(dataDir).filter((path) => !KEY_FILES.includes(path.slice(dataDir.length + 1)))
  expect(files.length).toBeGreaterThan(8)
  const places = new Map(files.map((path) => [path, readFileSync(path, 'latin1')]))
  places.set('backup', readFileSync(backup, 'latin1'))
  expect(places.get('backup')).toContain(importedKeys[0]!.publicKey.toBase58())
  places.set('log', service.program.lines.join('\n')).set('answers', answers.join('\n'))
  const leaks = [...places]
    .filter(([, text]) => secrets.some((secret) => text.includes(secret)))
    .map(([place]) => place)
  expect(leaks).toEqual([])
  // The search works: the key files contain the secrets.
  for (const name of KEY_FILES) {
    const text = readFileSync(join(dataDir, name), 'latin1')
    expect(secrets.some((secret) => text.includes(secret))).toBe(true)
  }
})
