import type { ClientInput, ClientOutput, Contract, Contracts, EndpointSpec } from '@stithy/core'
import type { PagePromise } from './page.ts'
import type { CallOptions } from './transport.ts'

/** A registry of contracts, such as `contracts` of @stithy/core; endpoints are found by name. */
export type Registry = Readonly<Record<string, Contract>>

/** Every endpoint of a registry by its name: `client.issues.notes.create()`. */
export type Client<R extends Registry = Contracts> = Resource<Named<EndpointsOf<R>>>

type EndpointsOf<R extends Registry> = { [C in keyof R]: R[C][keyof R[C]] }[keyof R]

/** Without the legacy endpoints for existing clients. */
type Named<E extends EndpointSpec> = E extends { legacy: true } ? never : E

/** The part of a name between a prefix and the next dot. */
type Segment<Name extends string, Prefix extends string> = Name extends `${Prefix}${infer Rest}`
  ? Rest extends `${infer Head}.${string}`
    ? Head
    : Rest
  : never

/** The members with a common prefix: methods, and nested resources. */
type Resource<E extends EndpointSpec, Prefix extends string = ''> = {
  readonly [X in E as Segment<X['name'], Prefix>]: X['name'] extends `${Prefix}${string}.${string}`
    ? Resource<X, `${Prefix}${Segment<X['name'], Prefix>}.`>
    : Method<X>
}

/**
 * The method of one name; a call gives the parent of exactly one of its variants. If all of them
 * have the same result it is one signature with a union of inputs, else there is an overload for
 * each.
 */
export type Method<E extends EndpointSpec> =
  IsUnion<CallResult<E>> extends true
    ? Intersection<Overload<E>>
    : Signature<CallInput<E>, CallResult<E>>

type Overload<E extends EndpointSpec, All extends PropertyKey = InputNames<E>> = E extends unknown
  ? Signature<VariantInput<E, All>, CallResult<E>>
  : never

/** One call; rejects with `StithyError`. The input is optional if nothing is required. */
type Signature<Input, Result> =
  Record<never, never> extends Input
    ? (input?: Input, options?: CallOptions) => Result
    : (input: Input, options?: CallOptions) => Result

/**
 * The input of an endpoint's method, or of several endpoints with the same name: the input of one
 * of them.
 */
export type CallInput<
  E extends EndpointSpec,
  All extends PropertyKey = InputNames<E>,
> = E extends unknown ? VariantInput<E, All> : never

type InputNames<E extends EndpointSpec> = E extends unknown ? keyof ClientInput<E> : never

/** The parameters of one variant, excluding those of other variants. */
type VariantInput<E extends EndpointSpec, All extends PropertyKey> = Expand<
  ClientInput<E> & { [N in Exclude<All, keyof ClientInput<E>>]?: never }
>

/**
 * A list returns pages, a raw endpoint the platform's `Response`, everything else its parsed body.
 */
export type CallResult<E extends EndpointSpec> = E extends { kind: 'raw' }
  ? Promise<Response>
  : E extends { paginated: true }
    ? ClientOutput<E> extends readonly (infer Item)[]
      ? PagePromise<Item>
      : never
    : Promise<ClientOutput<E>>

/** The same type, displayed by its members in editors and error messages. */
type Expand<T> = T extends infer U ? { [K in keyof U]: U[K] } : never

type Intersection<T> = (T extends unknown ? (each: T) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

type IsUnion<T> = [T] extends [Intersection<T>] ? false : true
