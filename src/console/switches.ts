// The freezes and suspensions in force over the scope of the session. Refreshed periodically, and after each change of
// a switch.
import { useEffect, useState } from 'preact/hooks'
import { bulk, whoIs } from './api.ts'
import { current, type SwitchesInForce } from './session.ts'
import { listAt, textAt } from './value.ts'

const REFRESH_MS = 15_000

export type ActiveSwitches = SwitchesInForce

let inForce: ActiveSwitches | null = null
const watchers = new Set<() => void>()

export const Switches = {
  /** null: not known. */
  now: (): ActiveSwitches | null => inForce,

  /** Follows the switches of the session until the returned function is called. */
  follow(): () => void {
    inForce = current()?.identity.switches ?? null
    if (current()?.scope.organization !== null) void Switches.refresh()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void Switches.refresh()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  },

  /** Requests them again. Without an answer, the known values stay. */
  async refresh(): Promise<void> {
    const session = current()
    if (session === null) return
    try {
      const [{ switches = null }, acting] = await Promise.all([
        whoIs(session.apiKey),
        session.scope.organization === null ? null : organizationNamed(session.scope.organization),
      ])
      if (current() !== session) return
      inForce = switches === null || acting === null ? switches : { ...switches, ...acting }
      for (const watcher of [...watchers]) watcher()
    } catch {
      // The next round requests them again.
    }
  },
}

/** Redraws when the switches have changed. */
export function useSwitches(): void {
  const [, redraw] = useState({})
  useEffect(() => {
    const watcher = (): void => redraw({})
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }, [])
}

/** The switches over another organization, if the session acts for one. */
async function organizationNamed(externalId: string): Promise<Partial<ActiveSwitches>> {
  const filter = [{ fieldName: 'externalId', filterValues: [{ filterType: 'EQUALS', valueString: externalId }] }]
  const [found] = (await bulk('/admin/organizations/bulk', { filter, limit: 1 })).items
  return {
    tenantFrozen: false,
    tenantSuspendedOn: [],
    organizationFrozen: textAt(found, 'status') === 'FROZEN',
    organizationSuspendedOn: listAt(found, 'suspendedOnClusters').map(String),
  }
}
