// A payment of one tenant whose fee another tenant pays.
import { beforeEach, expect } from 'vitest'
import { SOL, Station, type Wallet } from './station.ts'

export const FEE = 10_000n

export const GRANT = { globalFeePayerForOrgs: ['ACME'] }

export let station: Station
export let sponsor: Wallet
export let source: Wallet
export let to: Wallet

export const refusal = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

export function nothingKept(): void {
  expect([station.transactions, station.countersignatures]).toEqual([[], []])
  expect([station.book(sponsor), station.book(source)]).toEqual([
    { balance: String(SOL), reserved: '0' },
    { balance: String(SOL), reserved: '0' },
  ])
}

/** Registers the hooks that set up the exports of this file for the tests, and clean up. */
export function withSponsor(): void {
  beforeEach(async () => {
    station = await Station.open('ACME', 'BANK', 'OTHER')
    sponsor = await station.wallet('BANK', GRANT)
    await station.accept('ACME', sponsor)
    source = await station.wallet('ACME')
    to = await station.wallet('ACME')
  })
}
