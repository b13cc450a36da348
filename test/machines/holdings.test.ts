// What accounts, positions and instruments do, each in its own words and all in the shared ones.
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
const settled = (released: string, debited: string, credited = '0', asset = 'lamports'): AnyEvent => ({
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
    const told = start(live)
    expect(told.code(reserve('600'))).toBeNull()
    expect(told.code(reserve('401'))).toBe('INSUFFICIENT_BALANCE')
    expect(told.code(reserve('401', 'lamports', false))).toBeNull()
    expect(told.context()).toMatchObject({ lamports: { balance: '1000', reserved: '1001' } })
  })

  it('settles, undoes a dropped fork, and releases', () => {
    const told = start(live)
    told.tell(reserve('600'))
    told.tell(settled('600', '500'))
    expect(told.context()).toMatchObject({ lamports: { balance: '500', reserved: '0' }, last: TOUCH })
    const movements = [{ asset: 'lamports', released: '600', debited: '500', credited: '0' }]
    told.tell({ type: 'chain.undone', movements })
    expect(told.context()).toMatchObject({ lamports: { balance: '1000', reserved: '600' } })
    told.tell({ type: 'chain.released', movements })
    expect(told.context()).toMatchObject({ lamports: { balance: '1000', reserved: '0' } })
  })

  it('applies a fact with a negative result and reports it, and refuses a double release', () => {
    const told = start(live)
    expect(told.tell(settled('0', '1001'))).toStrictEqual({
      type: 'accepted',
      event: 'chain.settled',
      notice: 'BOOK_NEGATIVE',
    })
    expect(told.context()).toMatchObject({ lamports: { balance: '-1' } })
    expect(told.code(reserve('1'))).toBe('INSUFFICIENT_BALANCE')
    expect(told.tell({ type: 'chain.observed', lamports: '7' })).toStrictEqual({
      type: 'accepted',
      event: 'chain.observed',
    })
    expect(told.code(settled('1', '1'))).toBe('BOOK_NEGATIVE')
  })

  it('refuses debits while frozen by an operator, and settles landed ones', () => {
    const told = start(live)
    told.tell(reserve('10'))
    expect([told.code({ type: 'command.freeze' }), told.code({ type: 'command.freeze' })]).toStrictEqual([
      null,
      'ALREADY_FROZEN',
    ])
    expect(told.code(reserve('1'))).toBe('FROZEN')
    expect(told.code(settled('10', '10'))).toBeNull()
    expect([told.code({ type: 'command.unfreeze' }), told.code({ type: 'command.unfreeze' })]).toStrictEqual([
      null,
      'NOT_FROZEN',
    ])
  })

  it('is created, undone with the fork, and abandoned', () => {
    const told = start('pending')
    told.tell({ type: 'chain.created', touch: TOUCH })
    expect([told.value, told.context()]).toMatchObject([live, { creation: TOUCH, last: TOUCH }])
    expect(told.code({ type: 'chain.uncreated', by: 'tx-2' })).toBeNull()
    expect(told.value).toBe(live)
    told.tell({ type: 'chain.uncreated', by: 'tx-1' })
    expect([told.value, told.context()]).toMatchObject(['pending', { creation: null }])
    told.tell({ type: 'chain.abandoned' })
    expect(told.value).toBe('closed')
  })

  it('opens after being abandoned if another transaction creates it; a closed one stays closed', () => {
    const told = start('pending')
    told.tell({ type: 'chain.abandoned' })
    expect(told.code({ type: 'chain.created', touch: TOUCH })).toBeNull()
    expect(told.value).toBe(live)
    expect(told.code({ type: 'chain.abandoned' })).toBeNull()
    expect(told.value).toBe(live)
    told.tell({ type: 'chain.closed', touch: TOUCH })
    expect(told.code({ type: 'chain.created', touch: TOUCH })).toBe('CLOSED')
    expect(told.value).toBe('closed')
  })

  it('reopens with the same members', () => {
    const told = start(live)
    told.tell({ type: 'chain.closed', touch: TOUCH })
    expect(told.code({ type: 'chain.reopened', as: 'nowhere' })).toBe('UNKNOWN_STATE')
    told.tell({ type: 'chain.reopened', as: live })
    expect(told.value).toBe(live)
    expect(told.code({ type: 'chain.reopened', as: live })).toBe('NOT_CLOSED')
  })

  it('changes only mutable members, and writes no undefined', () => {
    const told = start(live)
    told.tell({ type: 'command.update', changes: { comments: 'new', domain: undefined } })
    expect(told.context()).toMatchObject({ comments: 'new', domain: null })
    expect(told.code({ type: 'command.update', changes: { address: 'other' } })).toBe('MEMBER_NOT_CHANGEABLE')
    told.tell({ type: 'chain.closed', touch: TOUCH })
    expect(told.code({ type: 'command.update', changes: { comments: 'late' } })).toBe('CLOSED')
    expect(told.code({ type: 'command.update', changes: { keyOrigin: 'exported' } })).toBeNull()
    expect(told.context()).toMatchObject({ comments: 'new', keyOrigin: 'exported' })
  })

  it('is retired only when empty, and applies facts for ever', () => {
    const told = start(live, { tokens: undefined, supply: undefined, lamports: { balance: '5', reserved: '5' } })
    expect(told.code({ type: 'command.inactivate' })).toBe('RESERVED')
    told.tell(settled('5', '4'))
    expect(told.code({ type: 'command.inactivate' })).toBe('BALANCE_REMAINS')
    told.tell(settled('0', '1'))
    expect(told.code({ type: 'command.inactivate' })).toBeNull()
    expect(told.code(reserve('0'))).toBe('CLOSED')
    expect(told.code(settled('0', '0', '9'))).toBeNull()
    expect(told.context()).toMatchObject({ lamports: { balance: '9' } })
  })
})

describe('an account', () => {
  it('has no tokens', () => {
    const told = TestedActor.start(accountMachine, { holding: account, state: 'active' })
    expect([told.code(reserve('1', 'tokens')), told.code(settled('0', '0', '1', 'tokens'))]).toStrictEqual([
      'NO_SUCH_BOOK',
      'NO_SUCH_BOOK',
    ])
  })
})

describe('a position', () => {
  const start = (state: string) => TestedActor.start(positionMachine, { holding: position, state })

  it('is created frozen or not, and follows the chain', () => {
    const told = start('pending')
    expect(told.code({ type: 'chain.frozen' })).toBe('PENDING')
    told.tell({ type: 'chain.initialized', touch: TOUCH, frozen: true })
    expect([told.value, told.context()]).toMatchObject(['frozen', { creation: TOUCH }])
    told.tell({ type: 'chain.thawed' })
    expect(told.value).toBe('initialized')
    told.tell({ type: 'chain.frozen', touch: { ...TOUCH, at: AT } })
    expect(told.value).toBe('frozen')
  })

  it('refuses token debits while frozen unless the transaction thaws it; facts and lamports are not affected', () => {
    const told = start('frozen')
    expect(told.code(reserve('1', 'tokens'))).toBe('POSITION_FROZEN')
    expect(told.code({ ...reserve('500', 'tokens'), thawing: true })).toBeNull()
    expect(told.code(reserve('1'))).toBeNull()
    expect(told.code(settled('500', '500', '0', 'tokens'))).toBeNull()
    expect(told.context()).toMatchObject({ tokens: { balance: '0', reserved: '0' } })
  })

  it('that was closed frozen reopens frozen', () => {
    const told = start('frozen')
    told.tell({ type: 'chain.closed', touch: TOUCH })
    told.tell({ type: 'chain.reopened', as: 'frozen' })
    expect(told.value).toBe('frozen')
  })
})

describe('an instrument', () => {
  const start = (state: string) => TestedActor.start(instrumentMachine, { holding: instrument, state })

  it('counts its supply, which cannot be reserved', () => {
    const told = start('active')
    told.tell(settled('0', '100', '1100', 'supply'))
    expect(told.context()).toMatchObject({ supply: { balance: '1500', reserved: '0' } })
    expect(told.code(reserve('1', 'supply'))).toBe('NO_SUCH_BOOK')
  })

  it('is configured by the chain and described by an operator', () => {
    const told = start('active')
    told.tell({
      type: 'chain.configured',
      changes: { authorities: { mintAuthority: null }, onchainData: { name: 'New' }, scaledUiAmountMultiplier: '1.5' },
    })
    told.tell({ type: 'command.describe', changes: { description: 'A bond' } })
    expect(told.context()).toMatchObject({
      authorities: { mintAuthority: null, freezeAuthority: { address: 'Freeze11' } },
      onchainData: { name: 'New', symbol: 'BND' },
      scaledUiAmountMultiplier: '1.5',
      offchainData: { description: 'A bond', logo: null },
    })
    expect(told.code({ type: 'chain.configured', changes: { authorities: { nobody: null } } })).toBe(
      'MEMBER_NOT_CHANGEABLE',
    )
    expect(told.code({ type: 'command.describe', changes: {} })).toBe('NOTHING_TO_CHANGE')
  })

  it('pauses and resumes with the chain, and shows it in its record', () => {
    const told = start('active')
    told.tell({ type: 'chain.paused', touch: TOUCH })
    expect([told.value, told.context()]).toMatchObject(['paused', { paused: true, last: TOUCH }])
    told.tell({ type: 'chain.resumed' })
    expect([told.value, told.context()]).toMatchObject(['active', { paused: false }])
  })
})

describe('a lookup table', () => {
  const start = (state: string) => TestedActor.start(lookupTableMachine, { holding: lookupTable, state })

  it('lists appended addresses in order, and removes those of a dropped fork', () => {
    const told = start('active')
    for (const name of ['A', 'B'])
      told.tell({ type: 'chain.extended', addresses: [`${name}1`, `${name}2`], slot: 20, touch: TOUCH })
    expect(told.context()).toMatchObject({
      addresses: ['Addr2222', 'Addr3333', 'A1', 'A2', 'B1', 'B2'],
      extendedAtSlot: 20,
      dataLength: 56 + 6 * 32,
      last: TOUCH,
    })
    told.tell({ type: 'chain.unextended', addresses: ['A1', 'A2'] })
    told.tell({ type: 'chain.unextended', addresses: ['never'] })
    expect(told.context()).toMatchObject({ addresses: ['Addr2222', 'Addr3333', 'B1', 'B2'], dataLength: 56 + 4 * 32 })
  })

  it('cannot be extended before it exists, and waits', () => {
    const told = start('pending')
    expect(told.code({ type: 'chain.extended', addresses: ['A1'] })).toBe('PENDING')
    told.tell({ type: 'chain.created', touch: TOUCH })
    expect(told.code({ type: 'chain.extended', addresses: ['A1'] })).toBeNull()
    expect(told.value).toBe('active')
  })

  it('freezes, deactivates and closes, and reopens after a dropped fork', () => {
    const frozen = start('active')
    frozen.tell({ type: 'chain.frozen', touch: TOUCH })
    expect({ value: frozen.value, context: frozen.context() }).toMatchObject({
      value: 'frozen',
      context: { authority: null },
    })
    frozen.tell({ type: 'chain.thawed', authority: lookupTable.authority })
    expect({ value: frozen.value, context: frozen.context() }).toMatchObject({
      value: 'active',
      context: { authority: lookupTable.authority },
    })

    const closed = start('active')
    closed.tell({ type: 'chain.deactivated', touch: TOUCH, slot: 22 })
    expect({ value: closed.value, context: closed.context() }).toMatchObject({
      value: 'deactivating',
      context: { deactivatedAtSlot: 22 },
    })
    closed.tell({ type: 'chain.closed', touch: TOUCH })
    expect(closed.value).toBe('closed')
    closed.tell({ type: 'chain.reopened', as: 'deactivating' })
    closed.tell({ type: 'chain.reactivated' })
    expect({ value: closed.value, context: closed.context() }).toMatchObject({
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
    const told = start('deactivating')
    told.tell({ type: 'chain.tableRead', contents })
    expect({ value: told.value, context: told.context() }).toMatchObject({
      value: 'active',
      context: { ...contents, dataLength: 88 },
    })
    told.tell({ type: 'chain.tableRead', contents: { ...contents, authority: null } })
    expect(told.value).toBe('frozen')
    told.tell({ type: 'chain.tableRead', contents: null })
    expect(told.value).toBe('closed')
  })
})
