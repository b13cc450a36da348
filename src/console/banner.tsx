// The banner of every page: names a freeze of everything, a freeze of the organization, or a suspension of sending.
import type { VNode } from 'preact'
import { href } from './route.ts'
import { current, may } from './session.ts'
import { Switches, useSwitches, type ActiveSwitches } from './switches.ts'
import { Text } from './text.tsx'

export function Banner(): VNode | null {
  useSwitches()
  const inForce = Switches.now()
  const lines = inForce === null ? [] : stopsOf(inForce)
  return (
    <div class="banner" role="status" hidden={lines.length === 0}>
      {lines.map((line) => (
        <p key={line}>
          <span aria-hidden="true">▲ </span>
          <Text>{line}</Text>
        </p>
      ))}
      {lines.length > 0 && may('PLATFORM_ADMIN', 'TENANT_ADMIN') && (
        <p>
          <a href={href('switches')}>Switches</a>
        </p>
      )}
    </div>
  )
}

/** Labels of the switches, the widest scope first: a narrower one is not repeated below it. */
export function stopsOf(inForce: ActiveSwitches): string[] {
  const session = current()
  const acting = session?.scope.organization ?? session?.identity.organizationExternalId ?? ''
  const clusters = (list: readonly string[]): string => list.join(', ')
  const frozen = inForce.everythingFrozen
    ? ['Everything is frozen: nothing is signed, for any tenant.']
    : inForce.tenantFrozen
      ? [`The tenant of ${acting} is frozen: nothing of it is signed.`]
      : inForce.organizationFrozen
        ? [`The organization ${acting} is frozen: nothing of it is signed.`]
        : []
  const own = [...new Set([...inForce.tenantSuspendedOn, ...inForce.organizationSuspendedOn])]
  return [
    ...frozen,
    ...(inForce.suspendedClusters.length === 0
      ? []
      : [`Sending is suspended on ${clusters(inForce.suspendedClusters)}: what is signed waits.`]),
    ...(own.length === 0
      ? []
      : [`Sending of ${acting} is suspended on ${clusters(own)}: what is signed for it waits.`]),
  ]
}
