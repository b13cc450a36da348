// The interface that HTTP requires, of a node whose cell comes and goes: each call goes to the cell that is open now.
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

/** @param current null: this node does not own the cell */
export function apiOfCurrent(current: () => Api | null, readiness: () => Readiness): Api {
  const open = (): Api => {
    const api = current()
    if (api === null) throw closed()
    return api
  }
  return {
    authenticate: (bearer) => open().authenticate(bearer),
    callFor: (caller, asked) => open().callFor(caller, asked),
    perform: (call, write, input) => open().perform(call, write, input),
    read: (call, read, input) => open().read(call, read, input),
    // A door refuses nothing in the name of the cell: there is no audit log to write to.
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

function closed(): Refusal {
  const message = 'this node does not own the data of the tenant'
  return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
}
