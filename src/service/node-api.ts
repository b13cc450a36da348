// The interface that HTTP requires, for a node whose cells open and close: each call uses the currently open cell.
import { Refusal } from '../contract/refusal.ts'
import type { SwitchesModel } from '../contract/schemas/identity-answer.ts'
import type { Api, Readiness } from '../http/ports.ts'

const NO_SWITCHES: SwitchesModel = {
  everythingFrozen: false,
  tenantFrozen: false,
  organizationFrozen: false,
  suspendedClusters: [],
  tenantSuspendedOn: [],
  organizationSuspendedOn: [],
}

/** @param current returns null if this node does not own the cell */
export function apiOfCurrent(current: () => Api | null, readiness: () => Readiness): Api {
  const open = (): Api => {
    const api = current()
    if (api === null) throw cellClosed()
    return api
  }
  return {
    authenticate: (bearer) => open().authenticate(bearer),
    callFor: (caller, asked) => open().callFor(caller, asked),
    perform: (call, write, input) => open().perform(call, write, input),
    read: (call, read, input) => open().read(call, read, input),
    // A node that does not own the cell has no audit log for refusals.
    refused: (refused) => current()?.refused(refused) ?? Promise.resolve(),
    get events() {
      return open().events
    },
    payerView: async (id) => await open().payerView?.(id),
    switches: (caller) => open().switches?.(caller) ?? NO_SWITCHES,
    signerAnswers: {
      isSigned: (...given) => open().signerAnswers?.isSigned(...given) ?? false,
      receive: async (...given) => (await open().signerAnswers?.receive(...given)) ?? 'invalid',
      elsewhere: async (...given) => await open().signerAnswers?.elsewhere(...given),
    },
    readiness,
    get accepting() {
      return current()?.accepting ?? true
    },
  }
}

function cellClosed(): Refusal {
  const message = 'this node does not own the data of the tenant'
  return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
}
