// Mints and burns at once against one limit of the supply, while forks are dropped and the power fails at any instant:
// the supply on chain never exceeds the limit, and all of the limit can be used in the end.
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { decodeMint } from '../../../src/solana/mint-layout.ts'
import { addressBytes, TOKEN_PROGRAM } from '../../../src/solana/address.ts'
import { createInstrument } from '../../../src/operations/instruments/create.ts'
import { initializePosition } from '../../../src/operations/positions/initialize.ts'
import { mintTokens } from '../../../src/operations/positions/mint.ts'
import { burnTokens } from '../../../src/operations/positions/burn.ts'
import type { JsonObject } from '../../../src/contract/call.ts'
import type { Write } from '../../../src/operations/context/platform.ts'
import { addressKey } from '../../../src/engine/index/index-keys.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { CLUSTER, SOL, Station, type Wallet } from '../signing/station.ts'

const CAP = 1_000n
const FINALITY_SLOTS = 8
const RUNS = 6

let station: Station
let issuer: Wallet
let holder: Wallet

beforeAll(async () => {
  // Short slots: transactions under a blockhash of a dropped fork must expire.
  station = await Station.on({ slotMs: 20, finalitySlots: FINALITY_SLOTS, faults: true }, 'ACME')
  await station.wallet('ACME', { canPayFees: true }, false, 1_000n * SOL)
  issuer = await station.wallet('ACME')
  holder = await station.wallet('ACME')
})

const at = ({ onchainId }: { readonly onchainId: string }) => ({ onchainId })
const run = (write: Write<never>, itemData: object, waitMs = 60_000): Promise<JsonObject> =>
  station.run('ACME', write as Write<{ itemData: object }>, itemData, { waitMs })

interface Token {
  readonly mint: { readonly onchainId: string }
  readonly position: { readonly onchainId: string }
}

async function token(): Promise<Token> {
  const config = { mintAccount: {}, mintAuthority: at(issuer), onchainData: { decimals: 0 }, maxSupply: CAP.toString() }
  const mint = (await run(createInstrument, config))['newFinancialInstrument'] as Token['mint']
  const position = (await run(initializePosition, { owner: at(holder), financialInstrument: at(mint) }))[
    'newPosition'
  ] as Token['mint']
  // No fork drops the creation of the token.
  await atRest()
  return { mint: at(mint), position: at(position) }
}

function supply({ mint }: Token): bigint {
  const account = station.chain.bank.account(addressBytes(mint.onchainId))
  return account == null ? 0n : decodeMint(account.data, TOKEN_PROGRAM).supply
}

/** The supply in the record. */
function readSupply({ mint }: Token): bigint | null {
  const [entry] = station.platform.engine.directory.find(addressKey(CLUSTER, mint.onchainId))
  const instrument = ofKind(entry?.head, 'instrument')
  return instrument === undefined ? null : BigInt(instrument.context.supply.balance)
}

const mint = ({ position }: Token, lamports: bigint, waitMs?: number) =>
  run(mintTokens, { destination: { position }, lamports: lamports.toString() }, waitMs)
const burn = ({ position }: Token, lamports: bigint, waitMs?: number) =>
  run(burnTokens, { source: { position }, lamports: lamports.toString() }, waitMs)

/** Every request to the running service has ended. */
async function atRest(requests: readonly Promise<unknown>[] = []): Promise<void> {
  await Promise.all(requests)
  const open = () => station.transactions.filter(({ context }) => context.finalAt === null)
  await expect.poll(() => open().length, { timeout: 60_000 }).toBe(0)
}

type Step =
  | { readonly kind: 'mint'; readonly amount: bigint }
  | { readonly kind: 'burn'; readonly amount: bigint }
  | { readonly kind: 'fork'; readonly slots: number }
  | { readonly kind: 'crash'; readonly lands: boolean }
  | { readonly kind: 'turns'; readonly count: number }

const amount = fc.bigInt({ min: 1n, max: 600n })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: amount.map((each) => ({ kind: 'mint' as const, amount: each })) },
  { weight: 3, arbitrary: amount.map((each) => ({ kind: 'burn', amount: each }) as const) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: FINALITY_SLOTS }).map((slots) => ({ kind: 'fork', slots }) as const),
  },
  { weight: 1, arbitrary: fc.boolean().map((lands) => ({ kind: 'crash', lands }) as const) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }).map((count) => ({ kind: 'turns', count }) as const) },
)

it('is never exceeded by mints, burns, dropped forks and restarts, and can be used in full', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const one = await token()
      let requests: Promise<unknown>[] = []
      for (const each of steps) {
        if (each.kind === 'mint') requests.push(mint(one, each.amount, 0).catch(() => undefined))
        else if (each.kind === 'burn') requests.push(burn(one, each.amount, 0).catch(() => undefined))
        else if (each.kind === 'fork') await station.chain.bank.faults?.forkAway(each.slots)
        else if (each.kind === 'crash') {
          // Requests to the stopped service are never answered.
          requests = []
          await station.crash(each.lands)
        } else
          for (let turn = 0; turn < each.count; turn += 1) {
            await new Promise((resolve) => setImmediate(resolve))
            expect(supply(one)).toBeLessThanOrEqual(CAP)
          }
        expect(supply(one)).toBeLessThanOrEqual(CAP)
      }
      await atRest(requests)
      // A record that was read during a dropped fork differs from the chain until it is compared again.
      await expect.poll(() => readSupply(one), { timeout: 60_000 }).toBe(supply(one))
      const remaining = CAP - supply(one)
      expect(remaining).toBeGreaterThanOrEqual(0n)
      await expect(mint(one, remaining + 1n)).rejects.toThrow('SUPPLY_CAP_EXCEEDED')
      // A mint under a blockhash of a dropped fork never lands, and frees its share.
      for (let attempt = 0; attempt < 3 && supply(one) < CAP; attempt += 1) {
        await mint(one, remaining)
        await atRest()
        await expect.poll(() => readSupply(one), { timeout: 60_000 }).toBe(supply(one))
      }
      expect(supply(one)).toBe(CAP)
      await expect(mint(one, 1n)).rejects.toThrow('SUPPLY_CAP_EXCEEDED')
    }),
    { numRuns: RUNS },
  )
}, 900_000)
