// What a form sends: only what was checked and is still shown, and after an answer that was lost only the same request.
import { afterEach, describe, expect, it } from 'vitest'
import { RequestRefused } from '../../src/console/api.ts'
import { Maker, type Request } from '../../src/console/forms/maker.ts'
import { isAnswer } from '../../src/console/orders.ts'
import { pretendService, refused, type Asked, type Reply } from './pretended-service.ts'

const MADE: Reply = [201, { offchainId: 'T' }]
const ESTIMATE: Reply = [200, { dryRun: { transactionsCount: 1 } }]

let stop = (): void => undefined
afterEach(() => {
  stop()
  stop = () => undefined
})

/** A form with one field. */
function formWith(answer: (asked: Asked) => Promise<Reply> | Reply, isCheckedFirst = true) {
  const { asked, stop: stopIt } = pretendService(answer)
  stop = stopIt
  let amount = '1'
  const maker = new Maker(() => undefined)
  const request: Request = {
    method: 'POST',
    path: '/positions/transfer',
    hasDryRun: isCheckedFirst,
    isCheckedFirst,
    feePayer: null,
    content: () => ({ itemData: { amount }, meant: [] }),
  }
  return {
    maker,
    type: (text: string) => maker.change(() => (amount = text)),
    shown: () => amount,
    press: async () => await maker.attempt(request),
    sent: () => asked.filter(({ isDryRun }) => !isDryRun),
  }
}

/** Answers when the test opens the gate. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

describe('a request that is checked', () => {
  it('is not the one that is sent if a field was changed while it was checked', async () => {
    const held = gate()
    let checks = 0
    const form = formWith(async ({ isDryRun }) => {
      if (!isDryRun) return MADE
      checks += 1
      if (checks === 1) await held.opened
      return ESTIMATE
    })
    const check = form.press()
    form.type('2')
    expect(form.maker.state.busy).toBe(false)
    held.open()
    await check
    expect(form.maker.state.checked).toBeNull()
    await form.press()
    expect(form.sent()).toEqual([])
    await form.press()
    expect(form.sent().map(({ body }) => body.itemData)).toEqual([{ amount: '2' }])
  })

  it('reports nothing of a check that was refused after a change', async () => {
    const held = gate()
    const form = formWith(async () => {
      await held.opened
      return refused(400, 'INVALID_AMOUNT')
    })
    const check = form.press()
    form.type('2')
    held.open()
    await check
    expect(form.maker.state).toMatchObject({ error: null, busy: false, checked: null })
  })

  it('is not sent by a page that was left', async () => {
    const form = formWith(() => MADE, false)
    const attempt = form.press()
    form.maker.leave()
    await attempt
    expect(form.sent()).toEqual([])
  })

  it('is sent once, for any number of attempts at once', async () => {
    const form = formWith(({ isDryRun }) => (isDryRun ? ESTIMATE : MADE))
    await form.press()
    await Promise.all([form.press(), form.press(), form.press()])
    expect(form.sent().length).toBe(1)
    expect(form.maker.state.made).toEqual({ offchainId: 'T' })
  })
})

describe('a request that was sent', () => {
  it('cannot be changed while it is under way', async () => {
    const held = gate()
    const form = formWith(async ({ isDryRun }) => {
      if (!isDryRun) await held.opened
      return isDryRun ? ESTIMATE : MADE
    })
    await form.press()
    const sending = form.press()
    form.type('7')
    form.maker.restart()
    expect([form.shown(), form.maker.state.isFixed]).toEqual(['1', true])
    held.open()
    await sending
    expect(form.maker.state).toMatchObject({ made: { offchainId: 'T' }, isFixed: false, isUnsure: false })
  })

  const losses: readonly (readonly [string, () => Reply])[] = [
    [
      'no answer',
      () => {
        throw new TypeError('network')
      },
    ],
    ['OUTCOME_UNKNOWN', () => refused(504, 'OUTCOME_UNKNOWN')],
    ['an answer of a proxy', () => [502, 'Bad gateway']],
  ]
  for (const isCheckedFirst of [true, false])
    it.each(losses)(
      `can only be repeated after %s, with its key (checked first: ${isCheckedFirst})`,
      async (_, lose) => {
        let requests = 0
        const form = formWith(({ isDryRun }) => {
          if (isDryRun) return ESTIMATE
          requests += 1
          // The second does not reach the service either, and is refused before the first is looked for.
          return requests === 1 ? lose() : requests === 2 ? refused(429, 'TOO_MANY_REQUESTS') : MADE
        }, isCheckedFirst)
        if (isCheckedFirst) await form.press()
        for (let press = 0; press < 2; press += 1) {
          await form.press()
          expect(form.maker.state).toMatchObject({ isFixed: true, isUnsure: true, busy: false })
          form.type('2')
          expect(form.shown()).toBe('1')
        }
        await form.press()
        expect(form.maker.state).toMatchObject({ made: { offchainId: 'T' }, isFixed: false, isUnsure: false })
        expect(form.sent().map(({ body }) => body.itemData)).toEqual([
          { amount: '1' },
          { amount: '1' },
          { amount: '1' },
        ])
        expect(new Set(form.sent().map(({ key }) => key)).size).toBe(1)
      },
    )

  it('can be left on purpose, and the next is another', async () => {
    const form = formWith(({ isDryRun }) => (isDryRun ? ESTIMATE : [503, {}]))
    for (let press = 0; press < 2; press += 1) await form.press()
    form.maker.restart()
    form.type('2')
    for (let press = 0; press < 2; press += 1) await form.press()
    expect(form.sent().map(({ body }) => body.itemData)).toEqual([{ amount: '1' }, { amount: '2' }])
    expect(new Set(form.sent().map(({ key }) => key)).size).toBe(2)
  })

  it('can be changed after a refusal', async () => {
    const form = formWith(({ isDryRun }) => (isDryRun ? ESTIMATE : refused(400, 'INSUFFICIENT_FUNDS')))
    for (let press = 0; press < 2; press += 1) await form.press()
    expect(form.maker.state).toMatchObject({ isFixed: false, isUnsure: false, checked: null })
    form.type('2')
    expect(form.shown()).toBe('2')
  })
})

it('tells a refusal from an outcome that is unknown', () => {
  const settles = (status: number, wasSentBefore: boolean): boolean =>
    isAnswer(new RequestRefused(status, [], null), wasSentBefore)
  expect([400, 401, 403, 409, 429].map((status) => settles(status, false))).toEqual([true, true, true, true, true])
  expect([0, 408, 500, 502, 503, 504].some((status) => settles(status, false))).toBe(false)
  expect([400, 401, 403, 409, 429, 503].map((status) => settles(status, true))).toEqual([
    true,
    false,
    false,
    true,
    false,
    false,
  ])
  expect(isAnswer(new TypeError('network'), false)).toBe(false)
})
