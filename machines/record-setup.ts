// The setup that all machines of records share: the guards and actions that the building blocks of `answer.ts` and
// `start.ts` refer to by name.
import { assign, emit, setup, type EventObject, type MachineContext } from 'xstate'
import { acceptance, refused, rejection } from './answer.ts'
import type { AcceptedEvent, EventAnswer } from './protocol.ts'
import { holds } from './start.ts'

/** @param accepted answer to an event that is not rejected */
export function recordSetup<
  Context extends MachineContext,
  Event extends EventObject,
  Input,
  Tag extends string = string,
>(accepted: (args: { readonly context: Context; readonly event: Event }) => AcceptedEvent = acceptance) {
  return setup({
    types: {
      context: {} as Context,
      events: {} as Event,
      input: {} as Input,
      emitted: {} as EventAnswer,
      tags: {} as Tag,
    },
    guards: { refused, holds },
    actions: {
      change: assign((_, patch: Partial<Context>) => patch),
      accept: emit(accepted),
      reject: emit(rejection),
    },
  })
}
