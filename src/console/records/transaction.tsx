// The life of a transaction: the checks before it was signed, its signers, how it was sent, its results on chain, and
// how it ended.
import type { VNode } from 'preact'
import { read, type Answer } from '../api.ts'
import { Badge, toneOf } from '../badge.tsx'
import { Named } from '../cell.tsx'
import { Details, labelOf } from './details.tsx'
import { Effects } from './effects.tsx'
import { Loading, useLoaded } from '../loading.tsx'
import { href } from '../route.ts'
import { namesOf } from '../sentence.tsx'
import { Amount, Id, Text, Time } from '../text.tsx'
import { at, isObject, listAt, textAt } from '../value.ts'

export function Transaction({ item, round }: { item: Answer; round: number }): VNode {
  const offchainId = textAt(item, 'offchainId') ?? ''
  const explained = useLoaded(
    `${offchainId} ${round}`,
    async (signal) => await read('/transactions/explain', { offchainId }, signal),
  )
  return (
    <>
      <Approval of={at(item, 'approval')} words={approvalWords(textAt(item, 'status'))} />
      <Effects explanation={explained.value} records={recordsOf(item)} names={namesOf(item)} />
      <section aria-labelledby="life-title">
        <h2 id="life-title">Its life</h2>
        <Timeline of={listAt(item, 'history')} />
      </section>
      <section aria-labelledby="explanation-title">
        <h2 id="explanation-title">Why</h2>
        <Loading of={explained}>{explained.value !== null && <Explanation of={explained.value} />}</Loading>
      </section>
      <Accounts of={listAt(item, 'accounts')} names={namesOf(item)} />
    </>
  )
}

/** Address -> record, of those that have one. */
function recordsOf(item: Answer): ReadonlyMap<string, string> {
  const accounts = listAt(item, 'accounts').map(
    (account) => [textAt(account, 'onchainId'), textAt(account, 'offchainId')] as const,
  )
  return new Map(accounts.filter((pair): pair is [string, string] => pair[0] !== null && pair[1] !== null))
}

interface Step {
  readonly at: string
  readonly title: string
  readonly detail: string | null
  readonly tone: string
}

function Timeline({ of }: { of: readonly unknown[] }): VNode {
  const steps = of.map((entry): Step => {
    const [status, detail] = [textAt(entry, 'status') ?? '', textAt(entry, 'detail')]
    // Every attempt to send is listed under the state in which it was made.
    const title = detail?.startsWith('attempt') === true ? 'sent' : status.replaceAll('_', ' ').toLowerCase()
    return { at: textAt(entry, 'at') ?? '', title, detail, tone: toneOf(status) }
  })
  return (
    <ol class="timeline">
      {steps.map((step, index) => (
        <li key={index} class={step.tone}>
          <Time>{step.at}</Time> <strong>{step.title}</strong> {step.detail !== null && <Text>{step.detail}</Text>}
        </li>
      ))}
    </ol>
  )
}

/** Only a prepared transaction waits for the approval that it asked for; later ones had it, or ended without it. */
export function approvalWords(status: string | null): { title: string; given: string; waits: boolean } {
  return status === 'PREPARED'
    ? { title: 'It waits for approval', given: 'are given', waits: true }
    : { title: 'Its approval', given: 'were given', waits: false }
}

interface ApprovalProps {
  readonly of: unknown
  readonly words: ReturnType<typeof approvalWords>
}

function Approval({ of, words: { title, given, waits } }: ApprovalProps): VNode | null {
  if (!isObject(of)) return null
  return (
    <section aria-labelledby="approval-title" class={waits ? 'card waits' : 'card'}>
      <h2 id="approval-title">{title}</h2>
      <p>
        {textAt(of, 'given')} of at least {textAt(of, 'required')} approvals {given}.
        {waits && (
          <>
            {' '}
            It lapses at <Time>{textAt(of, 'expiresAt') ?? ''}</Time>.
          </>
        )}
      </p>
      <table class="rows" aria-label="Limits that are exceeded">
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Limit</th>
            <th scope="col" class="number">
              Debit
            </th>
            <th scope="col" class="number">
              Used
            </th>
            <th scope="col" class="number">
              Allowed
            </th>
          </tr>
        </thead>
        <tbody>
          {listAt(of, 'entries').map((entry, index) => (
            <tr key={index}>
              <th scope="row" data-label="Account">
                <a href={href('accounts', textAt(entry, 'account.offchainId') ?? '')}>
                  <Named
                    name={null}
                    offchainId={textAt(entry, 'account.offchainId')}
                    address={textAt(entry, 'account.onchainId')}
                  />
                </a>
              </th>
              <td data-label="Limit">{limitWords(entry)}</td>
              <td data-label="Debit" class="number">
                <Amount>{at(entry, 'debit')}</Amount>
              </td>
              <td data-label="Used" class="number">
                <Amount>{at(entry, 'used')}</Amount>
              </td>
              <td data-label="Allowed" class="number">
                <Amount>{at(entry, 'maxAllowedDebit.limitAmount')}</Amount>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function limitWords(entry: unknown): string {
  const unit = textAt(entry, 'maxAllowedDebit.duration.unit')
  const code = textAt(entry, 'maxAllowedDebit.duration.code')?.toLowerCase()
  const span = unit === null ? 'per transaction' : `in ${unit} ${code ?? ''}`
  return `${(textAt(entry, 'destination') ?? '').toLowerCase().replaceAll('_', ' ')}, ${span}`
}

function Explanation({ of }: { of: Answer }): VNode {
  return (
    <>
      <table class="rows" aria-label="What was checked">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Verdict</th>
            <th scope="col">Because</th>
          </tr>
        </thead>
        <tbody>
          {listAt(of, 'checks').map((check, index) => (
            <tr key={index}>
              <th scope="row" data-label="Rule">
                {labelOf(textAt(check, 'rule') ?? '').replaceAll('_', ' ')}
              </th>
              <td data-label="Verdict">
                <Badge>{textAt(check, 'verdict') ?? ''}</Badge>
              </td>
              <td data-label="Because">
                <Text>{textAt(check, 'detail') ?? ''}</Text>
                <Judged on={at(check, 'judgedOn')} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Signatures</h3>
      <ul class="plain signatures">
        {listAt(of, 'signatures').map((signature, index) => (
          <li key={index}>
            <Badge tone={at(signature, 'signed') === true ? 'good' : 'wait'}>
              {at(signature, 'signed') === true ? 'signed' : at(signature, 'asked') === true ? 'asked' : 'missing'}
            </Badge>{' '}
            <Id
              to={
                textAt(signature, 'offchainId') === null
                  ? undefined
                  : href('accounts', textAt(signature, 'offchainId') ?? '')
              }
            >
              {textAt(signature, 'onchainId') ?? ''}
            </Id>{' '}
            <span class="quiet">{at(signature, 'ours') === true ? 'ours' : 'from outside'}</span>
          </li>
        ))}
      </ul>
      {(['reservations', 'watch', 'expiryProof', 'attestation'] as const)
        .filter((member) => (Array.isArray(of[member]) ? listAt(of, member).length > 0 : isObject(of[member])))
        .map((member) => (
          <details key={member} class="branch" open={member === 'watch' || member === 'expiryProof'}>
            <summary>{TITLES[member]}</summary>
            <Details of={{ [member]: of[member] }} />
          </details>
        ))}
    </>
  )
}

const TITLES = {
  reservations: 'What it holds in reserve',
  watch: 'How it is watched',
  expiryProof: 'The proof that it cannot land',
  attestation: 'What operators attested',
} as const

function Judged({ on }: { on: unknown }): VNode | null {
  if (!isObject(on) || Object.keys(on).length === 0) return null
  return (
    <details class="branch">
      <summary>Judged on</summary>
      <Details of={on} />
    </details>
  )
}

function Accounts({ of, names }: { of: readonly unknown[]; names: ReadonlyMap<string, string> }): VNode {
  return (
    <section aria-labelledby="accounts-title">
      <h2 id="accounts-title">Accounts</h2>
      <ul class="plain">
        {of.map((account, index) => {
          const offchainId = textAt(account, 'offchainId')
          const counterpartyId = textAt(account, 'counterparty.offchainId')
          const name = names.get(textAt(account, 'onchainId') ?? '')
          return (
            <li key={index}>
              {name !== undefined && counterpartyId === null && (
                <>
                  <Text>{name}</Text>{' '}
                </>
              )}
              <Id to={offchainId === null ? undefined : href('accounts', offchainId)}>
                {textAt(account, 'onchainId') ?? ''}
              </Id>
              {counterpartyId !== null && (
                <a href={href('counterparties', counterpartyId)}> {textAt(account, 'counterparty.name')}</a>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
