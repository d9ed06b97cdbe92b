import type { Contract, EndpointSpec } from '@stithy/core'
import type { Call, Handlers } from './call.ts'

/** A call as it is the same on projects and on groups: with the parent that its subject is. */
type ParentCall<E extends EndpointSpec, Parent> = Pick<
  Call<E>,
  'app' | 'caller' | 'params' | 'query' | 'body' | 'page' | 'headers'
> & { parent: Parent }

/** Handlers of endpoints that exist on both projects and groups. */
export type ParentHandlers<C extends Contract, Parent> = {
  readonly [Name in keyof C]: (call: ParentCall<C[Name], Parent>) => ReturnType<Handlers<C>[Name]>
}

type SomeHandlers = Readonly<Record<string, (call: never) => Promise<unknown>>>

type ParentOf<H> = H[keyof H] extends (call: infer C extends { parent: unknown }) => unknown
  ? C['parent']
  : never

type OnSubject<H, Subject> = {
  readonly [Name in keyof H]: H[Name] extends (call: infer C) => infer R
    ? (call: Omit<C, 'parent'> & { subject: Subject }) => R
    : never
}

/** Makes them the handlers of one kind of subject, by what its parent is. */
export function onParent<H extends SomeHandlers, Subject>(
  handlers: H,
  parentOf: (subject: Subject) => ParentOf<H>,
): OnSubject<H, Subject> {
  const wrapped = Object.entries(handlers).map(([name, handle]) => [
    name,
    ({ subject, ...call }: Call & { subject: Subject }) =>
      handle({ ...call, parent: parentOf(subject) } as never),
  ])
  return Object.fromEntries(wrapped)
}
