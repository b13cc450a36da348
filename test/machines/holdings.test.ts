// The behavior of accounts, positions and instruments, each on its own and in their common parts.
import { describe, expect, it } from 'vitest'
import { accountMachine } from '../../machines/account.ts'
import { instrumentMachine } from '../../machines/instrument.ts'
import { lookupTableMachine } from '../../machines/lookup-table.ts'
import { positionMachine } from '../../machines/position.ts'
import { account, AT, instrument, lookupTable, position, TOUCH } from './records.ts'
import { TestedActor, type AnyEvent } from './tested-actor.ts'

const reserve = (amount: string, asset = 'lamports', covered = true): AnyEvent => ({
  type: 'command.reserve',
  asset,
  amount,
  covered,
})
const settledEvent = (released: string, debited: string, credited = '0', asset = 'lamports'): AnyEvent => ({
  type: 'chain.settled',
  touch: TOUCH,
  movements: [{ asset, released, debited, credited }],
})

const holdings = [
  {
    name: 'account',
    live: 'active',
    start: (state: string, changes = {}) =>
      TestedActor.start(accountMachine, { holding: { ...account, ...changes }, state }),
  },
  {
    name: 'position',
    live: 'initialized',
    start: (state: string, changes = {}) =>
      TestedActor.start(positionMachine, { holding: { ...position, ...changes }, state }),
  },
  {
    name: 'instrument',
    live: 'active',
    start: (state: string, changes = {}) =>
      TestedActor.start(instrumentMachine, { holding: { ...instrument, ...changes }, state }),
  },
  {
    name: 'lookup table',
    live: 'active',
    start: (state: string, changes = {}) =>
      TestedActor.start(lookupTableMachine, { holding: { ...lookupTable, ...changes }, state }),
  },
]

describe.each(holdings)('$name as a record with a balance', ({ live, start }) => {
  it('begins in the state of its input', () => {
    expect(start('pending').value).toBe('pending')
    expect(start(live).value).toBe(live)
  })

  it('reserves at most what is available, unless the check is off', () => {
    const actor = start(live)
    expect(actor.code(reserve('600'))).toBeNull()
    expect(actor.code(reserve('401'))).toBe('INSUFFICIENT_BALANCE')
    expect(actor.code(reserve('401', 'lamports', false))).toBeNull()
    expect(actor.context()).toMatchObject({ lamports: { balance: '1000', reserved: '1001' } })
  })

  it('settles, undoes a dropped fork, and releases', () => {
    const actor = start(live)
    actor.send(reserve('600'))
    actor.send(settledEvent('600', '500'))
    expect(actor.context()).toMatchObject({ lamports: { balance: '500', reserved: '0' }, last: TOUCH })
    const movements = [{ asset: 'lamports', released: '600', debited: '500', credited: '0' }]
    actor.send({ type: 'chain.undone', movements })
    expect(actor.context()).toMatchObject({ lamports: { balance: '1000', reserved: '600' } })
    actor.send({ type: 'chain.released', movements })
    expect(actor.context()).toMatchObject({ lamports: { balance: '1000', reserved: '0' } })
  })

  it('applies a fact with a negative result and reports it, and refuses a double release', () => {
    const actor = start(live)
    expect(actor.send(settledEvent('0', '1001'))).toStrictEqual({
      type: 'accepted',
      event: 'chain.settled',
      notice: 'BOOK_NEGATIVE',
    })
    expect(actor.context()).toMatchObject({ lamports: { balance: '-1' } })
    expect(actor.code(reserve('1'))).toBe('INSUFFICIENT_BALANCE')
    expect(actor.send({ type: 'chain.observed', lamports: '7' })).toStrictEqual({
      type: 'accepted',
      event: 'chain.observed',
    })
    expect(actor.code(settledEvent('1', '1'))).toBe('BOOK_NEGATIVE')
  })

  it('refuses debits while frozen by an operator, and settles landed ones', () => {
    const actor = start(live)
    actor.send(reserve('10'))
    expect([actor.code({ type: 'command.freeze' }), actor.code({ type: 'command.freeze' })]).toStrictEqual([
      null,
      'ALREADY_FROZEN',
    ])
    expect(actor.code(reserve('1'))).toBe('FROZEN')
    expect(actor.code(settledEvent('10', '10'))).toBeNull()
    expect([actor.code({ type: 'command.unfreeze' }), actor.code({ type: 'command.unfreeze' })]).toStrictEqual([
      null,
      'NOT_FROZEN',
    ])
  })

  it('is created, undone with the fork, and abandoned', () => {
    const actor = start('pending')
    actor.send({ type: 'chain.created', touch: TOUCH })
    expect([actor.value, actor.context()]).toMatchObject([live, { creation: TOUCH, last: TOUCH }])
    expect(actor.code({ type: 'chain.uncreated', by: 'tx-2' })).toBeNull()
    expect(actor.value).toBe(live)
    actor.send({ type: 'chain.uncreated', by: 'tx-1' })
    expect([actor.value, actor.context()]).toMatchObject(['pending', { creation: null }])
    actor.send({ type: 'chain.abandoned' })
    expect(actor.value).toBe('closed')
  })

  it('counts the rent of its creation once, and that of its growth each time', () => {
    const actor = start('pending')
    const rent = (lamports: string, creating?: string): unknown => {
      const ofCreation = creating === undefined ? {} : { creating }
      expect(actor.code({ type: 'chain.rentPaid', by: 'Payer111', lamports, ...ofCreation })).toBeNull()
      return (actor.context() as { readonly rentPaid?: unknown }).rentPaid
    }
    expect(rent('700', 'tx-1')).toEqual({ by: 'Payer111', lamports: '700' })
    actor.send({ type: 'chain.created', touch: TOUCH })
    expect(rent('700', 'tx-2')).toEqual({ by: 'Payer111', lamports: '700' })
    expect(rent('-700', 'tx-2')).toEqual({ by: 'Payer111', lamports: '700' })
    expect(rent('50')).toEqual({ by: 'Payer111', lamports: '750' })
    expect(rent('-50')).toEqual({ by: 'Payer111', lamports: '700' })
    expect(rent('-700', 'tx-1')).toEqual({ by: 'Payer111', lamports: '0' })
    expect(rent('700', 'tx-2')).toEqual({ by: 'Payer111', lamports: '700' })
  })

  it('opens after being abandoned if another transaction creates it; a closed one stays closed', () => {
    const actor = start('pending')
    actor.send({ type: 'chain.abandoned' })
    expect(actor.code({ type: 'chain.created', touch: TOUCH })).toBeNull()
    expect(actor.value).toBe(live)
    expect(actor.code({ type: 'chain.abandoned' })).toBeNull()
    expect(actor.value).toBe(live)
    actor.send({ type: 'chain.closed', touch: TOUCH })
    expect(actor.code({ type: 'chain.created', touch: TOUCH })).toBe('CLOSED')
    expect(actor.value).toBe('closed')
  })

  it('reopens with the same members', () => {
    const actor = start(live)
    actor.send({ type: 'chain.closed', touch: TOUCH })
    expect(actor.code({ type: 'chain.reopened', as: 'nowhere' })).toBe('UNKNOWN_STATE')
    actor.send({ type: 'chain.reopened', as: live })
    expect(actor.value).toBe(live)
    expect(actor.code({ type: 'chain.reopened', as: live })).toBe('NOT_CLOSED')
  })

  it('changes only mutable members, and writes no undefined', () => {
    const actor = start(live)
    actor.send({ type: 'command.update', changes: { comments: 'new', domain: undefined } })
    expect(actor.context()).toMatchObject({ comments: 'new', domain: null })
    expect(actor.code({ type: 'command.update', changes: { address: 'other' } })).toBe('MEMBER_NOT_CHANGEABLE')
    actor.send({ type: 'chain.closed', touch: TOUCH })
    expect(actor.code({ type: 'command.update', changes: { comments: 'late' } })).toBe('CLOSED')
    expect(actor.code({ type: 'command.update', changes: { keyOrigin: 'exported' } })).toBeNull()
    expect(actor.context()).toMatchObject({ comments: 'new', keyOrigin: 'exported' })
  })

  it('is retired only when empty, and applies facts for ever', () => {
    const actor = start(live, { tokens: undefined, supply: undefined, lamports: { balance: '5', reserved: '5' } })
    expect(actor.code({ type: 'command.inactivate' })).toBe('RESERVED')
    actor.send(settledEvent('5', '4'))
    expect(actor.code({ type: 'command.inactivate' })).toBe('BALANCE_REMAINS')
    actor.send(settledEvent('0', '1'))
    expect(actor.code({ type: 'command.inactivate' })).toBeNull()
    expect(actor.code(reserve('0'))).toBe('CLOSED')
    expect(actor.code(settledEvent('0', '0', '9'))).toBeNull()
    expect(actor.context()).toMatchObject({ lamports: { balance: '9' } })
  })
})

describe('an account', () => {
  it('has no tokens', () => {
    const actor = TestedActor.start(accountMachine, { holding: account, state: 'active' })
    expect([actor.code(reserve('1', 'tokens')), actor.code(settledEvent('0', '0', '1', 'tokens'))]).toStrictEqual([
      'NO_SUCH_BOOK',
      'NO_SUCH_BOOK',
    ])
  })
})

describe('a position', () => {
  const start = (state: string) => TestedActor.start(positionMachine, { holding: position, state })

  it('is created frozen or not, and follows the chain', () => {
    const actor = start('pending')
    expect(actor.code({ type: 'chain.frozen' })).toBe('PENDING')
    actor.send({ type: 'chain.initialized', touch: TOUCH, frozen: true })
    expect([actor.value, actor.context()]).toMatchObject(['frozen', { creation: TOUCH }])
    actor.send({ type: 'chain.thawed' })
    expect(actor.value).toBe('initialized')
    actor.send({ type: 'chain.frozen', touch: { ...TOUCH, at: AT } })
    expect(actor.value).toBe('frozen')
  })

  it('refuses token debits while frozen unless the transaction thaws it; facts and lamports are not affected', () => {
    const actor = start('frozen')
    expect(actor.code(reserve('1', 'tokens'))).toBe('POSITION_FROZEN')
    expect(actor.code({ ...reserve('500', 'tokens'), thawing: true })).toBeNull()
    expect(actor.code(reserve('1'))).toBeNull()
    expect(actor.code(settledEvent('500', '500', '0', 'tokens'))).toBeNull()
    expect(actor.context()).toMatchObject({ tokens: { balance: '0', reserved: '0' } })
  })

  it('that was closed frozen reopens frozen', () => {
    const actor = start('frozen')
    actor.send({ type: 'chain.closed', touch: TOUCH })
    actor.send({ type: 'chain.reopened', as: 'frozen' })
    expect(actor.value).toBe('frozen')
  })
})

describe('an instrument', () => {
  const start = (state: string) => TestedActor.start(instrumentMachine, { holding: instrument, state })

  it('counts its supply, which cannot be reserved', () => {
    const actor = start('active')
    actor.send(settledEvent('0', '100', '1100', 'supply'))
    expect(actor.context()).toMatchObject({ supply: { balance: '1500', reserved: '0' } })
    expect(actor.code(reserve('1', 'supply'))).toBe('NO_SUCH_BOOK')
  })

  it('is configured by the chain and described by an operator', () => {
    const actor = start('active')
    actor.send({
      type: 'chain.configured',
      changes: { authorities: { mintAuthority: null }, onchainData: { name: 'New' }, scaledUiAmountMultiplier: '1.5' },
    })
    actor.send({ type: 'command.describe', changes: { description: 'A bond' } })
    expect(actor.context()).toMatchObject({
      authorities: { mintAuthority: null, freezeAuthority: { address: 'Freeze11' } },
      onchainData: { name: 'New', symbol: 'BND' },
      scaledUiAmountMultiplier: '1.5',
      offchainData: { description: 'A bond', logo: null },
    })
    expect(actor.code({ type: 'chain.configured', changes: { authorities: { nobody: null } } })).toBe(
      'MEMBER_NOT_CHANGEABLE',
    )
    expect(actor.code({ type: 'command.describe', changes: {} })).toBe('NOTHING_TO_CHANGE')
  })

  it('pauses and resumes with the chain, and shows it in its record', () => {
    const actor = start('active')
    actor.send({ type: 'chain.paused', touch: TOUCH })
    expect([actor.value, actor.context()]).toMatchObject(['paused', { paused: true, last: TOUCH }])
    actor.send({ type: 'chain.resumed' })
    expect([actor.value, actor.context()]).toMatchObject(['active', { paused: false }])
  })
})

describe('a lookup table', () => {
  const start = (state: string) => TestedActor.start(lookupTableMachine, { holding: lookupTable, state })

  it('lists appended addresses in order, and removes those of a dropped fork', () => {
    const actor = start('active')
    for (const name of ['A', 'B'])
      actor.send({ type: 'chain.extended', addresses: [`${name}1`, `${name}2`], slot: 20, touch: TOUCH })
    expect(actor.context()).toMatchObject({
      addresses: ['Addr2222', 'Addr3333', 'A1', 'A2', 'B1', 'B2'],
      extendedAtSlot: 20,
      dataLength: 56 + 6 * 32,
      last: TOUCH,
    })
    actor.send({ type: 'chain.unextended', addresses: ['A1', 'A2'] })
    actor.send({ type: 'chain.unextended', addresses: ['never'] })
    expect(actor.context()).toMatchObject({ addresses: ['Addr2222', 'Addr3333', 'B1', 'B2'], dataLength: 56 + 4 * 32 })
  })

  it('cannot be extended before it exists, and waits', () => {
    const actor = start('pending')
    expect(actor.code({ type: 'chain.extended', addresses: ['A1'] })).toBe('PENDING')
    actor.send({ type: 'chain.created', touch: TOUCH })
    expect(actor.code({ type: 'chain.extended', addresses: ['A1'] })).toBeNull()
    expect(actor.value).toBe('active')
  })

  it('freezes, deactivates and closes, and reopens after a dropped fork', () => {
    const actor = start('active')
    actor.send({ type: 'chain.frozen', touch: TOUCH })
    expect({ value: actor.value, context: actor.context() }).toMatchObject({
      value: 'frozen',
      context: { authority: null },
    })
    actor.send({ type: 'chain.thawed', authority: lookupTable.authority })
    expect({ value: actor.value, context: actor.context() }).toMatchObject({
      value: 'active',
      context: { authority: lookupTable.authority },
    })

    const closedActor = start('active')
    closedActor.send({ type: 'chain.deactivated', touch: TOUCH, slot: 22 })
    expect({ value: closedActor.value, context: closedActor.context() }).toMatchObject({
      value: 'deactivating',
      context: { deactivatedAtSlot: 22 },
    })
    closedActor.send({ type: 'chain.closed', touch: TOUCH })
    expect(closedActor.value).toBe('closed')
    closedActor.send({ type: 'chain.reopened', as: 'deactivating' })
    closedActor.send({ type: 'chain.reactivated' })
    expect({ value: closedActor.value, context: closedActor.context() }).toMatchObject({
      value: 'active',
      context: { deactivatedAtSlot: null },
    })
  })

  it('adopts the state read from the chain', () => {
    const contents = {
      authority: lookupTable.authority,
      addresses: ['A1'],
      extendedAtSlot: 30,
      deactivatedAtSlot: null,
    }
    const actor = start('deactivating')
    actor.send({ type: 'chain.tableRead', contents })
    expect({ value: actor.value, context: actor.context() }).toMatchObject({
      value: 'active',
      context: { ...contents, dataLength: 88 },
    })
    actor.send({ type: 'chain.tableRead', contents: { ...contents, authority: null } })
    expect(actor.value).toBe('frozen')
    actor.send({ type: 'chain.tableRead', contents: null })
    expect(actor.value).toBe('closed')
  })
})
