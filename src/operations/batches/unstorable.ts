// Members of item data that cannot be stored until an operation runs later.
import type { JsonObject } from '../../contract/call.ts'
import type { Problem } from '../../contract/refusal.ts'

/**
 * One problem for each such member.
 *
 * @param at pointer to the item data
 */
export function unstorableMembers(data: JsonObject, at: string, code: string): Problem[] {
  const position = data['position'] as JsonObject | undefined
  const keys = [
    [data['privateKeyDetails'], `${at}/privateKeyDetails/privateKey`],
    [position?.['privateKeyDetails'], `${at}/position/privateKeyDetails/privateKey`],
  ] as const
  const problem = (pointer: string, message: string): Problem => ({ code, message, pointer, retryable: false })
  return [
    ...(data['idempotencyId'] === undefined
      ? []
      : [problem(`${at}/idempotencyId`, 'not allowed here: send the header Idempotency-Key')]),
    ...keys.flatMap(([details, pointer]) =>
      (details as JsonObject | undefined)?.['privateKey'] === undefined
        ? []
        : [problem(pointer, 'a private key is not allowed here: import it by itself')],
    ),
  ]
}
