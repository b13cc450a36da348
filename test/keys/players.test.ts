// Threshold keys among players in this process: what they make and sign, who may be missing, who is named, and what is
// on nobody's disk.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodeBase58 } from '../../src/solana/base58.ts'
import { verifySignature } from '../../src/keys/keypair.ts'
import { combine, publicFromJson, type PublicJson } from '../../src/keys/players/frost.ts'
import { PlayerStore } from '../../src/keys/players/player-store.ts'
import { Player } from '../../src/keys/players/player.ts'
import { Players, type PlayerHandle } from '../../src/keys/players/players.ts'

type Ask = (call: string, input: unknown) => unknown
interface Told {
  readonly code: string
  readonly call: string
  readonly input: unknown
  readonly answer: unknown
}

let parent: string
/** Everything that passed between the service and the players. */
let told: Told[]
let warned: object[]
const CODES = ['P1', 'P2', 'P3']
const message = Buffer.from('a message that is to be signed')

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'holdfast-players-'))
  told = []
  warned = []
})
afterEach(() => rmSync(parent, { recursive: true }))

const keyOf = (code: string) => Buffer.alloc(32, code)
const playerOf = (code: string) => new Player(code, new PlayerStore(join(parent, code), code, [keyOf(code)]))

/** What becomes of a question on its way to the player of the code, and of the answer. */
type Between = (code: string, call: string, answer: (input?: unknown) => unknown, input: unknown) => unknown

function opened(between: Between = (_code, _call, answer) => answer()) {
  const handle = (code: string): PlayerHandle => {
    const player = playerOf(code)
    const ask: Ask = async (call, input) => {
      const said = (put = input) => (player as unknown as Record<string, (input: unknown) => unknown>)[call]!(put)
      const answer = await between(code, call, said, input)
      told.push({ code, call, input, answer })
      return answer
    }
    return {
      code,
      ask: ask as PlayerHandle['ask'],
      stop: () => undefined,
      identity: () => Promise.resolve(player.identity),
    }
  }
  const ask = ((
    _call: string,
    { shared, message: signed, given }: { shared: PublicJson; message: Uint8Array; given: [] },
  ) => Promise.resolve(combine(publicFromJson(shared), signed, given))) as unknown as PlayerHandle['ask']
  const log = { warn: (fields: object) => void warned.push(fields) }
  return new Players({ players: CODES.map(handle), combiner: { ask, stop: () => undefined }, log })
}

const DEFAULT = { players: null, threshold: null }
const gone = (codes: readonly string[]) => (code: string, _call: string, answer: () => unknown) =>
  codes.includes(code) ? Promise.reject(new Error('is gone')) : answer()

test('any two of three sign for a key that all three made, also after a start', async () => {
  const key = await opened().make(DEFAULT)
  expect(decodeBase58(key.address, 32)).not.toBeNull()
  expect(key).toMatchObject({ kept: 'players', name: key.address, more: { threshold: 2 } })
  for (const missing of [[], ['P1'], ['P2'], ['P3']]) {
    const signature = await opened(gone(missing)).signer(key).sign(message, `without ${missing.join()}`)
    expect(verifySignature(message, signature, key.address)).toBe(true)
  }
})

test('two players missing are too many, and named', async () => {
  const key = await opened().make(DEFAULT)
  const signing = opened(gone(['P1', 'P3']))
    .signer(key)
    .sign(message, 'q')
  await expect(signing).rejects.toThrow('2 of 3 players are needed to sign: P1 is gone, P3 is gone')
})

test('a false share is found, its player named, and the others sign', async () => {
  const key = await opened().make(DEFAULT)
  const lying = opened(async (code, call, answer) => {
    // P3 comes late, so that the liar is among the first.
    if (code === 'P3') await new Promise((resolve) => setTimeout(resolve, 20))
    const said = answer()
    if (code === 'P2' && call === 'sign') (said as Uint8Array)[0]! ^= 1
    return said
  })
  const signature = await lying.signer(key).sign(message, 'q')
  expect(verifySignature(message, signature, key.address)).toBe(true)
  expect(warned).toEqual([{ player: 'P2', address: key.address, deed: 'gave a false share' }])
})

test('a player that speaks under the name of another is named, and not the other', async () => {
  const key = await opened().make(DEFAULT)
  const posing = opened(async (code, call, answer) => {
    const said = answer()
    if (code === 'P3') await new Promise((resolve) => setTimeout(resolve, 20))
    if (code === 'P2' && call === 'commit') return playerOf('P1').commit({ publicKey: key.address, attempt: 'a' })
    return said
  })
  const signature = await posing.signer(key).sign(message, 'q')
  expect(verifySignature(message, signature, key.address)).toBe(true)
  expect(warned).toMatchObject([{ player: 'P2', deed: 'speaks under the name of another' }])
})

test('the same question has one answer while the service runs, and a good one after', async () => {
  const players = opened()
  const key = await players.make(DEFAULT)
  const [one, two] = await Promise.all([players.signer(key).sign(message, 'q'), players.signer(key).sign(message, 'q')])
  expect(two).toEqual(one)
  expect(await players.signer(key).sign(message, 'q')).toEqual(one)
  const later = await opened().signer(key).sign(message, 'q')
  expect(later).not.toEqual(one)
  expect(verifySignature(message, later, key.address)).toBe(true)
})

test('nonces are good for one signature, whatever becomes of it, and are nowhere on disk', async () => {
  const key = await opened().make({ players: ['P1', 'P2'], threshold: 2 })
  const [one, two] = [playerOf('P1'), playerOf('P2')]
  const input = { publicKey: key.address, attempt: 'a' }
  const commitments = [one.commit(input), two.commit(input)]
  const before = onDisk()
  one.sign({ ...input, message, commitments })
  expect(() => one.sign({ ...input, message: Buffer.from('another'), commitments })).toThrow('no nonces')
  expect(() => two.sign({ ...input, message, commitments: [commitments[1]!, commitments[1]!] })).toThrow('not in order')
  expect(() => two.sign({ ...input, message, commitments })).toThrow('no nonces')
  expect(() => playerOf('P1').sign({ ...input, message, commitments })).toThrow('no nonces')
  expect(onDisk()).toEqual(before)
})

test('whoever carries the packages can neither read nor change them, nor tell two stories, nor stand in for a player', async () => {
  const key = await opened().make(DEFAULT)
  const shares = CODES.map((code) => shareOf(code, key.address))
  const carried = JSON.stringify(told, (_name, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  )
  for (const share of shares) expect(carried).not.toContain(share)
  expect(new Set(shares).size).toBe(3)

  const changed = opened((code, call, answer) => {
    const said = answer()
    if (code === 'P1' && call === 'distribute')
      (said as Record<string, string>)['P2'] = (said as Record<string, string>)['P3']!
    return said
  })
  await expect(changed.make(DEFAULT)).rejects.toThrow('what player P1 sent to P2 does not open')

  // P3 is told another package of P1 than P2 is: one of P1's own, and in order.
  let session: unknown
  const twoStories = opened((code, call, answer, input) => {
    if (call === 'begin') session = input
    if (code !== 'P3' || call !== 'distribute') return answer()
    const { packages, ...rest } = input as { packages: Record<string, unknown> }
    return answer({ ...rest, packages: { ...packages, P1: playerOf('P1').begin(session as never) } })
  })
  await expect(twoStories.make(DEFAULT)).rejects.toThrow(/what player P\d sent to P\d does not open/)

  rmSync(join(parent, 'P2'), { recursive: true })
  await expect(opened().make(DEFAULT)).rejects.toThrow('player P2 is not the one that was met before')
})

test('a threshold is two to all, of players that there are', async () => {
  const players = opened()
  const refused = async (wish: { players: readonly string[] | null; threshold: number | null }) =>
    await players.make(wish).catch(codeOf)
  expect(await refused({ players: null, threshold: 1 })).toBe('THRESHOLD_INVALID')
  expect(await refused({ players: null, threshold: 4 })).toBe('THRESHOLD_INVALID')
  expect(await refused({ players: ['P1'], threshold: null })).toBe('THRESHOLD_INVALID')
  expect(await refused({ players: ['P1', 'P9'], threshold: null })).toBe('PLAYER_UNKNOWN')
  expect(await refused({ players: ['P1', 'P1'], threshold: null })).toBe('PLAYER_UNKNOWN')
  const three = await players.make({ players: null, threshold: 3 })
  await expect(
    opened(gone(['P2']))
      .signer(three)
      .sign(message, 'q'),
  ).rejects.toThrow('3 of 3 players are needed')
  expect(
    await opened(gone(['P2']))
      .make(DEFAULT)
      .catch(codeOf),
  ).toBe('KEY_STORE_UNAVAILABLE')
})

test('what a player keeps opens under its own key only, or moves from one that is given too', async () => {
  const key = await opened().make(DEFAULT)
  const share = shareOf('P1', key.address)
  const text = readdirSync(join(parent, 'P1'))
    .map((file) => readFileSync(join(parent, 'P1', file), 'utf8'))
    .join()
  expect(text).not.toContain(share)
  const path = join(parent, 'P1')
  expect(() => new PlayerStore(path, 'P1', [Buffer.alloc(32, 9)])).toThrow('sealed under another key')
  expect(() => new PlayerStore(path, 'P2', [keyOf('P1')]).read('identity')).toThrow('was changed')
  const moved = new PlayerStore(path, 'P1', [Buffer.alloc(32, 9), keyOf('P1')])
  expect(moved.moved).toBe(true)
  const again = new PlayerStore(path, 'P1', [Buffer.alloc(32, 9)])
  expect([again.moved, new Player('P1', again).commit({ publicKey: key.address, attempt: 'a' }).hiding.length]).toEqual(
    [false, 32],
  )
})

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

/** Hex. */
function shareOf(code: string, address: string): string {
  const kept = new PlayerStore(join(parent, code), code, [keyOf(code)]).read(
    `share-${Buffer.from(address).toString('hex')}`,
  )
  return (JSON.parse(kept!.toString()) as { share: string }).share
}

function onDisk(): string[] {
  return CODES.flatMap((code) => {
    try {
      return readdirSync(join(parent, code)).map((file) => readFileSync(join(parent, code, file), 'utf8'))
    } catch {
      return []
    }
  })
}
