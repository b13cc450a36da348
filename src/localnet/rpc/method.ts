// The shape of a method: positional parameters in, a value or a promise of one out. A refusal is thrown as RpcError.

import type { Params } from './params.ts'

export type Method = (params: Params) => unknown

export type MethodTable = Readonly<Record<string, Method>>
