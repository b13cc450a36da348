// The state of a record by its state machine, and every freeze, suspension and pause in force over it. A stopped record
// is never shown as active.
import type { VNode } from 'preact'
import type { Answer } from './api.ts'
import { Badge } from './badge.tsx'
import { Switches, useSwitches, type ActiveSwitches } from './switches.ts'
import { at, isObject, listAt, textAt } from './value.ts'

const STATES = ['lifecycleState', 'state', 'status'] as const
/** Members that hold the account of a record; empty: the record itself. */
const HOLDERS = ['', 'mintAccount', 'escrow', 'nonceAccount', 'onchainDataSource', 'addressLookupTable'] as const
/** States without restrictions: a restriction in force is shown instead. */
const WELL = new Set(['ACTIVE', 'INITIALIZED', 'OPEN', 'ENABLED'])

/** @param path member with the state; absent: the first that there is */
export function statesOf(item: Answer, path: string | null, inForce: ActiveSwitches | null, now: number): string[] {
  const stops = stopsOf(item, inForce, now)
  const state = (path === null ? null : textAt(item, path)) ?? firstState(item)
  const waits = state === 'PREPARED' && isObject(item['approval'])
  const known = waits ? 'WAITING_FOR_APPROVAL' : (state ?? (item['disabled'] === undefined ? null : 'ACTIVE'))
  return [...(known === null || (WELL.has(known) && stops.length > 0) ? [] : [known]), ...stops].filter(
    (each, index, all) => all.indexOf(each) === index,
  )
}

function firstState(item: Answer): string | null {
  return STATES.map((member) => textAt(item, member)).find((state) => state !== null) ?? null
}

function stopsOf(item: Answer, inForce: ActiveSwitches | null, now: number): string[] {
  const holders = HOLDERS.map((member) => (member === '' ? item : at(item, member))).filter(isObject)
  const isHolding = holders.some((holder) => typeof holder['frozenByOperator'] === 'boolean')
  const isOrganization = Array.isArray(item['suspendedOnClusters'])
  const isEnded = firstState(item) === 'CLOSED'
  const expiresAt = item['disabled'] === undefined ? null : textAt(item, 'expiresAt')
  const rules: readonly (readonly [string, boolean])[] = [
    ['EVERYTHING_FROZEN', (isHolding || isOrganization) && inForce?.everythingFrozen === true],
    ['ORGANIZATION_FROZEN', isHolding && (inForce?.organizationFrozen === true || inForce?.tenantFrozen === true)],
    ['FROZEN', holders.some((holder) => holder['frozenByOperator'] === true)],
    ['LANE_SUSPENDED', holders.some((holder) => holder['laneSuspended'] === true)],
    ['SENDING_SUSPENDED', listAt(item, 'suspendedOnClusters').length > 0],
    ['PAUSED', item['paused'] === true],
    ['DISABLED', item['disabled'] === true],
    ['APPROVALS_SUSPENDED', isAfter(textAt(item, 'approvalsSuspendedUntil'), now)],
    ['EXPIRED', expiresAt !== null && !isAfter(expiresAt, now)],
  ]
  return isEnded ? [] : rules.filter(([, holds]) => holds).map(([state]) => state)
}

function isAfter(instant: string | null, now: number): boolean {
  return instant !== null && Date.parse(instant) > now
}

export function States({ item, path = null }: { item: Answer; path?: string | null }): VNode {
  useSwitches()
  const states = statesOf(item, path, Switches.now(), Date.now())
  if (states.length === 0) return <span class="quiet">–</span>
  return (
    <span class="badges">
      {states.map((state) => (
        <Badge key={state}>{state}</Badge>
      ))}
    </span>
  )
}
