// For any order of payments, forks, expiry and cancellation, the state follows from the payments in time, and a final
// payment stays.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { paymentRequestMachine, type PaymentRequestContext } from '../../machines/payment-request.ts'
import { payment, paymentRequest, PAYMENT_SUBJECTS } from './payment-subjects.ts'
import { AT } from './records.ts'
import { TestedActor } from './tested-actor.ts'

const stateOf = (machine: TestedActor) => machine.snapshot() as { value: string; context: PaymentRequestContext }

it('has the state of the payments in time, and keeps final payments', () => {
  const events = fc.array(fc.constantFrom(...PAYMENT_SUBJECTS.paymentRequest.alphabet), { maxLength: 15 })
  fc.assert(
    fc.property(events, fc.constantFrom(...PAYMENT_SUBJECTS.paymentRequest.inputs), (story, input) => {
      const subject = TestedActor.start(paymentRequestMachine, input)
      for (const event of story) {
        const before = stateOf(subject)
        subject.send(event)
        const { value, context } = stateOf(subject)
        const inTime = context.payments.filter(({ late }) => !late)
        const sum = inTime.reduce((total, { amount }) => total + BigInt(amount), 0n)
        const expected =
          context.cancelledAt !== null
            ? 'cancelled'
            : sum === 0n
              ? context.isExpired
                ? 'expired'
                : 'open'
              : sum < 100n
                ? 'underpaid'
                : sum === 100n
                  ? 'paid'
                  : 'overpaid'
        expect(value).toBe(expected)
        const finalSignatures = before.context.payments.filter(({ final }) => final).map(({ signature }) => signature)
        expect(context.payments.filter(({ final }) => final).map(({ signature }) => signature)).toEqual(
          expect.arrayContaining(finalSignatures),
        )
        if (before.value === 'cancelled') expect(value).toBe('cancelled')
        if (!before.context.watched) expect(context.payments).toEqual(before.context.payments)
        const isPaid =
          (value === 'paid' || value === 'overpaid') && context.payments.every(({ final, late }) => final || late)
        expect(context.endedAt !== null).toBe(isPaid || context.isExpired || context.cancelledAt !== null)
      }
    }),
    { numRuns: 500 },
  )
})

it('undoes a payment with its fork, but not a final one', () => {
  const subject = TestedActor.start(paymentRequestMachine, { request: paymentRequest })
  const see = (...payments: readonly object[]) => subject.send({ type: 'chain.payments', payments, at: AT })
  see(payment('a', 100))
  expect(stateOf(subject).value).toBe('paid')
  see()
  expect(stateOf(subject).value).toBe('open')
  see(payment('a', 100, { final: true }))
  expect(stateOf(subject)).toMatchObject({ value: 'paid', context: { endedAt: AT } })
  expect(see()).toMatchObject({ type: 'rejected', code: 'FINAL_PAYMENT_MISSING' })
  expect(subject.send({ type: 'command.cancel', at: AT })).toMatchObject({
    type: 'rejected',
    code: 'PAYMENT_REQUEST_ENDED',
  })
})
