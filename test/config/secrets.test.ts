import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKeyFile } from '../../src/config/key-file.ts'
import { orderRotation } from '../../src/config/rotation-file.ts'
import { loadBootstrapKey, openMasterKey, prepareDataDir } from '../../src/config/secrets.ts'
import { SettingsError } from '../../src/config/settings-error.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { generateApiKey, parseApiKey } from '../../src/keys/api-key.ts'
import { generateKeypair } from '../../src/keys/keypair.ts'
import { Vault } from '../../src/keys/vault.ts'

let parent: string
let dataDir: string
const masterPath = () => join(dataDir, 'master.key')
const bootstrapPath = () => join(dataDir, 'bootstrap.key')
const settingsWith = (more: Record<string, string> = {}) => loadSettings({ HOLDFAST_DATA_DIR: dataDir, ...more })
const modeOf = (path: string) => statSync(path).mode & 0o777

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'holdfast-secrets-'))
  dataDir = join(parent, 'deep', 'data')
  prepareDataDir(dataDir)
})
afterEach(() => rmSync(parent, { recursive: true }))

test('the data directory is accessible to its owner only', () => {
  expect(modeOf(dataDir)).toBe(0o700)
  prepareDataDir(dataDir)
  expect(() => prepareDataDir('/dev/null/data')).toThrow(SettingsError)
})

test('the bootstrap key is generated once, and read at later starts', () => {
  const first = loadBootstrapKey(settingsWith(), true)
  expect(first).toMatchObject({ path: bootstrapPath(), created: true })
  expect(modeOf(bootstrapPath())).toBe(0o600)
  expect(parseApiKey(readFileSync(bootstrapPath(), 'utf8').trim())).toEqual(first?.key)
  // A start that was killed before the key was installed is a first start again.
  expect(loadBootstrapKey(settingsWith(), true)).toEqual({ ...first, created: false })
  expect(loadBootstrapKey(settingsWith(), false)).toEqual({ ...first, created: false })
})

test('a bootstrap key file that was removed after the first start is not created again', () => {
  expect(loadBootstrapKey(settingsWith(), false)).toBeNull()
  expect(readdirSync(dataDir)).toEqual([])
})

test('a bootstrap key from a setting creates no file', () => {
  const { apiKey, keyId, secretHash } = generateApiKey()
  const settings = settingsWith({ HOLDFAST_BOOTSTRAP_KEY: apiKey })
  expect(loadBootstrapKey(settings, true)).toEqual({ key: { keyId, secretHash }, path: null, created: false })
  expect(readdirSync(dataDir)).toEqual([])
})

test('a damaged bootstrap key file is refused, and the error does not quote it', () => {
  writeFileSync(bootstrapPath(), 'hf_damaged')
  expect(() => loadBootstrapKey(settingsWith(), true)).toThrow(SettingsError)
  expect(() => loadBootstrapKey(settingsWith(), true)).not.toThrow('hf_damaged')
})

test('the master key is generated at the first start, with a warning at every start', () => {
  const first = openMasterKey(settingsWith(), undefined)
  expect(modeOf(masterPath())).toBe(0o600)
  expect(first.warnings.join()).toContain(masterPath())
  const second = openMasterKey(settingsWith(), first.check)
  expect(second.check).toBe(first.check)
  expect(second.warnings).toEqual(first.warnings)
  const text = readFileSync(masterPath(), 'utf8').trim()
  expect(first.warnings.join() + first.check).not.toContain(text)
})

test('the master key of the file, given as a setting, opens keys sealed before', () => {
  const first = openMasterKey(settingsWith(), undefined)
  const keypair = generateKeypair()
  const reference = { tenant: 't', cluster: 'c', id: 'i', address: keypair.address }
  const row = new Vault(first.key).seal(reference, keypair)
  expect(new Vault(openMasterKey(settingsWith(), first.check).key).open(reference, row).address).toBe(keypair.address)

  const settings = settingsWith({ HOLDFAST_MASTER_KEY: readFileSync(masterPath(), 'utf8').trim() })
  expect(openMasterKey(settings, first.check).warnings).toEqual([expect.stringContaining('remove the file')])
  rmSync(masterPath())
  const masterKey = openMasterKey(settings, first.check)
  expect(masterKey.warnings).toEqual([])
  expect(new Vault(masterKey.key).open(reference, row).address).toBe(keypair.address)
  expect(existsSync(masterPath())).toBe(false)
})

test('during a rotation, only a key that is a setting has to be replaced by the operator', () => {
  const { check } = openMasterKey(settingsWith(), undefined)
  const text = readFileSync(masterPath(), 'utf8').trim()
  orderRotation(settingsWith().dataDir, Buffer.from(text, 'base64'), Buffer.alloc(32, 9))
  expect(openMasterKey(settingsWith(), check).warnings.join()).toContain(`${masterPath()} will hold the new one`)
  expect(openMasterKey(settingsWith(), check).warnings.join()).not.toContain('HOLDFAST_MASTER_KEY is to be')
  const given = settingsWith({ HOLDFAST_MASTER_KEY: text })
  expect(openMasterKey(given, check).warnings.join()).toContain('HOLDFAST_MASTER_KEY is to be the new one')
})

test('a wrong or missing master key is refused once keys are sealed', () => {
  const { check } = openMasterKey(settingsWith(), undefined)
  const other = settingsWith({ HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') })
  expect(() => openMasterKey(other, check)).toThrow(/HOLDFAST_MASTER_KEY is wrong/)
  writeFileSync(masterPath(), Buffer.alloc(32, 9).toString('base64'))
  expect(() => openMasterKey(settingsWith(), check)).toThrow(/HOLDFAST_MASTER_KEY is wrong/)
  rmSync(masterPath())
  expect(() => openMasterKey(settingsWith(), check)).toThrow(/is missing/)
  expect(readdirSync(dataDir)).toEqual([])
})

test('a damaged master key file is refused, not replaced, and not quoted in the error', () => {
  writeFileSync(masterPath(), 'c2hvcnQ=\n')
  expect(() => openMasterKey(settingsWith(), undefined)).toThrow(SettingsError)
  expect(() => openMasterKey(settingsWith(), undefined)).not.toThrow('c2hvcnQ=')
  expect(readFileSync(masterPath(), 'utf8')).toBe('c2hvcnQ=\n')
})

test('a master key file that others can read causes a warning', () => {
  const { check } = openMasterKey(settingsWith(), undefined)
  chmodSync(masterPath(), 0o644)
  expect(openMasterKey(settingsWith(), check).warnings).toHaveLength(2)
})

test('a key file is never overwritten, and no temporary file remains', () => {
  const path = join(dataDir, 'some.key')
  expect(createKeyFile(path, 'first')).toBe('first')
  expect(createKeyFile(path, 'second')).toBe('first')
  expect(readdirSync(dataDir)).toEqual(['some.key'])
})
