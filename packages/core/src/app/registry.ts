import type { KnownContract } from './abilities.ts'
import * as exported from './contracts.ts'

exported satisfies Readonly<Record<string, KnownContract>>

export type Contracts = typeof exported

/**
 * Every contract, by the name that its handlers are listed under: the exports of `contracts.ts`, in
 * the order of their names, which not every loader of modules gives them. SDK, CLI and OpenAPI use
 * the `name` of each endpoint instead.
 */
export const contracts = Object.fromEntries(
  Object.entries(exported).toSorted(([one], [other]) => (one < other ? -1 : 1)),
) as Contracts
