// Events of the kinds that are accounts on chain.
import fc from 'fast-check'
import { AT, lookupTable, TOUCH } from './records.ts'
import type { AnyEvent } from './tested-actor.ts'

export const raw = fc.bigInt({ min: 0n, max: 2000n }).map(String)

export const asset = fc.constantFrom('lamports', 'tokens', 'supply')

export const movements = fc.array(fc.record({ asset, released: raw, debited: raw, credited: raw }), { maxLength: 3 })

const movement = (of: string, released: string, debited: string, credited: string) => ({
  asset: of,
  released,
  debited,
  credited,
})

export const attempt = {
  eventId: 'e1',
  sequence: 12,
  type: 'account.created',
  attempt: 1,
  at: AT,
  status: 204,
  error: null,
}

export const holdingAlphabet: AnyEvent[] = [
  { type: 'command.reserve', asset: 'lamports', amount: '1000', covered: true },
  { type: 'command.reserve', asset: 'tokens', amount: '1', covered: false },
  { type: 'command.update', changes: { comments: 'x' } },
  { type: 'command.update', changes: { keyOrigin: 'exported' } },
  { type: 'command.update', changes: { address: 'no' } },
  { type: 'command.freeze' },
  { type: 'command.unfreeze' },
  { type: 'command.inactivate' },
  { type: 'chain.settled', touch: TOUCH, movements: [movement('lamports', '1000', '1000', '0')] },
  { type: 'chain.settled', touch: TOUCH, movements: [movement('lamports', '0', '1', '0')] },
  { type: 'chain.undone', movements: [movement('lamports', '1000', '1000', '0')] },
  { type: 'chain.released', movements: [movement('lamports', '1000', '1000', '0')] },
  { type: 'chain.observed', lamports: '0' },
  { type: 'chain.observed', tokens: '0' },
  { type: 'chain.observed', supply: '0' },
  { type: 'chain.rentPaid', by: 'Payer111', lamports: '2039280' },
  { type: 'chain.rentPaid', by: 'Payer111', lamports: '-2039280' },
  { type: 'chain.rentPaid', by: 'Payer222', lamports: '1000' },
  { type: 'chain.rentPaid', by: 'Payer111', lamports: '2039280', creating: 'tx-2' },
  { type: 'chain.created', touch: TOUCH },
  { type: 'chain.uncreated' },
  { type: 'chain.uncreated', by: 'tx-2' },
  { type: 'chain.abandoned' },
  { type: 'chain.closed', touch: TOUCH },
  { type: 'chain.closed' },
  { type: 'chain.observed', ownerProgram: 'Program1', dataLength: 9 },
  ...['active', 'initialized', 'frozen', 'paused', 'deactivating', 'nowhere'].map((as) => ({
    type: 'chain.reopened',
    as,
  })),
]

export const positionAlphabet: AnyEvent[] = [
  ...holdingAlphabet,
  { type: 'command.reserve', asset: 'tokens', amount: '500', covered: true, thawing: true },
  { type: 'chain.initialized', touch: TOUCH, frozen: true },
  { type: 'chain.initialized', touch: TOUCH, frozen: false },
  { type: 'chain.frozen' },
  { type: 'chain.thawed', touch: TOUCH },
  { type: 'chain.ownerChanged', owner: { address: 'Owner222', id: null } },
  {
    type: 'chain.ownerChanged',
    owner: { address: 'Owner222', id: null },
    others: { closeAuthority: { address: 'Closer1', id: null }, delegate: null },
  },
  { type: 'chain.ownerChanged', owner: { address: 'Owner222', id: null }, others: null },
]

export const instrumentAlphabet: AnyEvent[] = [
  ...holdingAlphabet,
  { type: 'command.describe', changes: { description: 'd' } },
  { type: 'command.describe', changes: {} },
  { type: 'command.limit', maxSupply: '1000' },
  { type: 'command.limit', maxSupply: null },
  { type: 'command.limit', maxSupply: '1.5' },
  {
    type: 'chain.configured',
    changes: { authorities: { mintAuthority: null }, onchainData: { name: 'n' } },
    touch: TOUCH,
  },
  { type: 'chain.configured', changes: { supply: '1' } },
  { type: 'chain.paused' },
  { type: 'chain.resumed', touch: TOUCH },
]

const contents = {
  authority: lookupTable.authority,
  addresses: ['Addr2222'],
  extendedAtSlot: 12,
  deactivatedAtSlot: null,
}

export const lookupTableAlphabet: AnyEvent[] = [
  ...holdingAlphabet,
  { type: 'chain.extended', addresses: ['Addr4444'], slot: 20, touch: TOUCH },
  { type: 'chain.extended', addresses: [] },
  { type: 'chain.unextended', addresses: ['Addr4444'] },
  { type: 'chain.unextended', addresses: ['Addr5555'] },
  { type: 'chain.frozen', touch: TOUCH, slot: 21 },
  { type: 'chain.thawed', authority: lookupTable.authority },
  { type: 'chain.deactivated', touch: TOUCH, slot: 22 },
  { type: 'chain.reactivated' },
  { type: 'chain.tableRead', contents },
  { type: 'chain.tableRead', contents: { ...contents, authority: null } },
  { type: 'chain.tableRead', contents: { ...contents, deactivatedAtSlot: 30 } },
  { type: 'chain.tableRead', contents: null },
]

export const nonceAlphabet: AnyEvent[] = [
  ...holdingAlphabet,
  { type: 'command.lease', transactionId: 'tx-1', value: 'Value111', at: AT },
  { type: 'command.lease', transactionId: 'tx-2', value: 'Value111', at: AT },
  { type: 'command.lease', transactionId: 'tx-1', value: 'Value222', at: AT },
  { type: 'command.void', transactionId: 'tx-1', by: 'tx-2' },
  { type: 'chain.advanced', value: 'Value111', slot: 11 },
  { type: 'chain.advanced', value: 'Value222', slot: 9 },
  { type: 'chain.advanced', value: 'Value222', slot: 12, authority: { address: 'Other111', id: null } },
  { type: 'chain.reopened', as: 'leased' },
]
