import type { Contract, EndpointSpec } from '@stithy/core'
import type { Call, Handlers } from './call.ts'

/** A call as it is the same on projects and on groups: with the place that its subject is. */
type PlacedCall<E extends EndpointSpec, Place> = Pick<
  Call<E>,
  'app' | 'caller' | 'params' | 'query' | 'body' | 'page' | 'headers'
> & { place: Place }

/** Handlers for the endpoints of a contract that projects and groups have alike. */
export type PlacedHandlers<C extends Contract, Place> = {
  readonly [Name in keyof C]: (call: PlacedCall<C[Name], Place>) => ReturnType<Handlers<C>[Name]>
}

type SomeHandlers = Readonly<Record<string, (call: never) => Promise<unknown>>>

type PlaceOf<H> = H[keyof H] extends (call: infer C extends { place: unknown }) => unknown
  ? C['place']
  : never

type OnSubject<H, Subject> = {
  readonly [Name in keyof H]: H[Name] extends (call: infer C) => infer R
    ? (call: Omit<C, 'place'> & { subject: Subject }) => R
    : never
}

/** Makes them the handlers of one kind of subject, by what its place is. */
export function onPlace<H extends SomeHandlers, Subject>(
  handlers: H,
  placeOf: (subject: Subject) => PlaceOf<H>,
): OnSubject<H, Subject> {
  const placed = Object.entries(handlers).map(([name, handle]) => [
    name,
    ({ subject, ...call }: Call & { subject: Subject }) =>
      handle({ ...call, place: placeOf(subject) } as never),
  ])
  return Object.fromEntries(placed)
}
