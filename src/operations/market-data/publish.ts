// Publishes a value, or hands a source over. The state of the source is checked again in the unit of work that signs,
// so that at most one publication of a source is under way.
import { feedText } from '../../../machines/feed-text.ts'
import type { FeedDefinition } from '../../../machines/data-source.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { JsonObject, Outcome } from '../../contract/call.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Party } from '../lookup/party.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { clusterOf, transact } from '../transactions/transact.ts'
import { DEFINITION_POINTER, type EvaluatedValue } from './evaluate.ts'
import { handOverInstruction, publishInstruction } from './feed-mint.ts'
import { publicationUnderWay, mayPublish, publisherOf, whenIdle, type DataSource } from '../lookup/named-source.ts'
import { ownSource, type NamedSource } from './own-source.ts'

const COMPUTE_UNITS = 30_000

/** Changes on chain and of the record, for a given state of the source. */
export interface PublishPlan<Members extends JsonObject> {
  /** null: the value on chain is unchanged. */
  readonly evaluated: EvaluatedValue | null
  readonly changes: Partial<FeedDefinition>
  readonly nextPublisher: Party | null
  readonly members: Members
  /** Called again in the unit of work that signs. Throws the refusal of the change. */
  readonly permit?: (source: DataSource) => void
}

/**
 * Waits until no publication is under way, then publishes what `decide` returns; repeats if another publication came
 * first. Throws 400 `DATA_SOURCE_BUSY` when `waitMs` has passed.
 *
 * @param decide executes the jobs, outside of the unit of work
 */
export async function publish<Members extends JsonObject>(
  context: Context,
  lookup: AccountLookup,
  config: ChainTransactionConfig | undefined,
  decide: (source: DataSource) => Promise<PublishPlan<Members>>,
): Promise<Outcome<Members>> {
  const { platform, call } = context
  const until = platform.clock.now() + call.waitMs
  for (;;) {
    await whenIdle(platform, ownSource(context, lookup).state, Math.max(0, until - platform.clock.now()))
    const { state } = ownSource(context, lookup)
    if (!mayPublish(platform, state, state.context.issued)) throw publicationUnderWay()
    const publishing = await decide(state)
    const outcome = await signPublication(context, lookup, config, { dataSource: state, publishing })
    if (outcome !== undefined) return outcome
    if (platform.clock.now() >= until) throw publicationUnderWay()
  }
}

/** undefined: another publication came first. */
async function signPublication<Members extends JsonObject>(
  context: Context,
  lookup: AccountLookup,
  config: ChainTransactionConfig | undefined,
  {
    dataSource: { context: before },
    publishing: { evaluated, changes, nextPublisher, members, permit },
  }: { readonly dataSource: DataSource; readonly publishing: PublishPlan<Members> },
): Promise<Outcome<Members> | undefined> {
  const { platform } = context
  // A slot that the cluster has reached, so a value never has a future slot.
  const { slot } = await clusterOf(context).accountsAsOf([before.address])
  const sequence = before.issued + 1
  const kind = changes.dataKind ?? before.dataKind
  const jobHash = changes.jobHash ?? before.jobHash
  const { value, asOf } = evaluated ?? { value: '', asOf: 0 }
  const text = evaluated === null ? null : feedText({ kind, publication: { value, asOf, slot, sequence }, jobHash })
  if (evaluated !== null && text === null)
    throw badRequest('JOB_FAILED', 'the value is too long for its metadata on chain', DEFINITION_POINTER)
  return await transact(context, config, () => {
    const source = ownSource(context, lookup)
    if (!mayPublish(platform, source.state, before.issued)) return undefined
    permit?.(source.state)
    const publisher = publisherOf(platform, source.state)
    const { address } = source.state.context
    return {
      instructions: [
        ...(text === null ? [] : [publishInstruction(address, publisher.address, text)]),
        ...(nextPublisher === null ? [] : [handOverInstruction(address, publisher.address, nextPublisher.address)]),
      ],
      feePayer: feePayerOf(context, config),
      parties: [publisher],
      computeUnits: COMPUTE_UNITS,
      prepare: (unit) => sendChanges(unit, source, changes, { evaluated, sequence }),
      members,
      shape: 'member',
    }
  })
}

function sendChanges(
  unit: UnitOfWork,
  { entry }: NamedSource,
  changes: Partial<FeedDefinition>,
  { evaluated, sequence }: { readonly evaluated: EvaluatedValue | null; readonly sequence: number },
): void {
  if (Object.keys(changes).length > 0) unit.send<'dataSource'>(entry, { type: 'command.define', changes })
  if (evaluated !== null) unit.send<'dataSource'>(entry, { type: 'command.publish', sequence, run: evaluated.run })
}
