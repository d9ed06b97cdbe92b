import type { z } from 'zod'
import type { TokenScope } from '../access/scope.ts'
import type { ErrorCode } from '../errors.ts'
import type { ParameterConstraint } from './constraints.ts'
import type { InputName } from './names.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface AuthBase {
  /**
   * True when the call also works without a token, for public data (`auth: 'optional'` of a
   * subject).
   */
  anonymous?: true
  /** Scopes of which any one is enough; `api` always is. Default: `api` alone. */
  scope?: TokenScope | readonly TokenScope[]
}

/**
 * `on` names the type of subject that is loaded from the path, and that `ability` is checked on.
 * The list of all contracts restricts both to those that exist.
 */
export interface AuthOn<
  Subject extends string = string,
  Ability extends string = string,
  Parent extends string = string,
> extends AuthBase {
  on: Subject
  /** The types of its parents from the outside in, if not the default ones: the issue of a note. */
  within?: readonly Parent[]
  ability: Ability
}

interface SignedIn extends AuthBase {
  on?: undefined
}

/**
 * Who may call. `public`: anyone, without a token. `optional`: anyone; a token shows more.
 * Without `on`, every signed-in user.
 */
export type Auth = 'public' | 'optional' | AuthOn | SignedIn

/** The body of a response: a schema, or `null` for none. */
export type ResponseBody = z.ZodType | null

/** One endpoint as plain data. Route, OpenAPI, SDK and CLI are derived from it. */
export interface EndpointSpec {
  /**
   * Its name in the SDK, the command line and OpenAPI: the resource, nested by its parents, and the
   * action: `issues.notes.create`. Endpoints that do the same below different parents share a name,
   * and are distinguished by their path parameters.
   */
  name: string
  /**
   * True for a second endpoint of the same name, kept for existing clients: it is served, and
   * documented as deprecated, but neither in the SDK nor in the command line.
   */
  legacy?: true
  method: Method
  /** Relative to `/api/v4`, parameters as `:name`. */
  path: string
  /** Alternative paths that existing clients use. */
  aliases?: readonly string[]
  /** Path parameters other than strings. */
  params?: z.ZodObject
  /** Query parameters of GET and DELETE. */
  query?: z.ZodObject
  /**
   * Parameters of POST and PUT, and secrets of DELETE, which no URL should have: from the body or,
   * with lower precedence, the query string.
   */
  body?: z.ZodObject
  /** What several parameters must be together. */
  constraints?: readonly ParameterConstraint[]
  /** Lists: `page` and `per_page` are added, and the pagination headers are sent. */
  paginated?: true
  /**
   * Lists with keyset pagination by id (`pagination=keyset&order_by=id`): the default direction.
   * Their query has `id_after` and `id_before`. Other lists reject `pagination=keyset` with 400.
   */
  keyset?: 'asc' | 'desc'
  /** `raw` responses are bytes with their own headers (git, archives, raw files). */
  kind?: 'json' | 'raw'
  /** The media types of `raw` responses. */
  contentTypes?: readonly string[]
  /** Maximum body size in bytes, for file uploads; by default 8 MiB. */
  bodyLimit?: number
  /**
   * A file of its form, larger than others, that may also be sent as the whole body, which is JSON
   * then: the other parameters are in the query. It is received on disk.
   */
  jsonFile?: { field: string; maxBytes: number }
  response: Readonly<Record<number, ResponseBody>>
  auth: Auth
  /** The path parameter of the outermost subject; by default `id`. */
  subjectParam?: string
  /**
   * The errors that its handler answers with, besides those that every call may have (malformed
   * parameters, missing credentials, a hidden subject, limits).
   */
  errors?: readonly ErrorCode[]
  /** The minimum feature tier; lower tiers return 403. */
  tier?: 'premium' | 'ultimate'
  docs: { summary: string; description?: string }
}

/** The endpoints of one resource by the name of their action: `list`, `show`, `create`... */
export type Contract = Readonly<Record<string, EndpointSpec>>

/**
 * Whether an endpoint sends bytes with an entity tag, of which 206 is a part: `If-Match`,
 * `If-None-Match`, `Range` and `If-Range` apply to it.
 */
export function hasContent({ response }: EndpointSpec): boolean {
  return 206 in response
}

/** Keeps the exact type of an endpoint while checking its shape. */
export function endpoint<const E extends EndpointSpec>(spec: E): E {
  return spec
}

type Input<S> = S extends z.ZodType ? z.input<S> : unknown
type Output<S> = S extends z.ZodType ? z.output<S> : Record<never, never>

/** Names of the parameters in a path: `/projects/:id/labels/:label_id` → `id | label_id`. */
export type PathNames<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathNames<Tail>
    : Rest
  : never

type PathInput<E extends EndpointSpec> = {
  [N in PathNames<E['path']> as InputName<E['path'], N>]: E['params'] extends z.ZodObject
    ? N extends keyof z.input<E['params']>
      ? z.input<E['params']>[N]
      : string | number
    : string | number
}

/** Type of a handler's `params`: strings, unless the contract's `params` differ. */
export type ParamsOf<E extends EndpointSpec> = {
  [N in PathNames<E['path']>]: E['params'] extends z.ZodObject
    ? N extends keyof z.output<E['params']>
      ? z.output<E['params']>[N]
      : string
    : string
}

/** Type of a handler's `query`. */
export type QueryOf<E extends EndpointSpec> = Output<E['query']>

/** Type of a handler's `body`. */
export type BodyOf<E extends EndpointSpec> = Output<E['body']>

/** Pagination parameters of a request. */
export interface PageInput {
  page?: number
  per_page?: number
}

type Flatten<T> = { [K in keyof T]: T[K] }

/**
 * All parameters of a request, flat: path, query and body names never collide (a test checks this).
 */
export type ClientInput<E extends EndpointSpec> = Flatten<
  PathInput<E> &
    Input<E['query']> &
    Input<E['body']> &
    (E['paginated'] extends true ? PageInput : unknown)
>

type SuccessBodies<R> = R[keyof R & (200 | 201 | 202 | 204)]

/** The result for a client: the body of the successful response, `undefined` without one. */
export type ClientOutput<E extends EndpointSpec> =
  SuccessBodies<E['response']> extends infer B
    ? B extends z.ZodType
      ? z.output<B>
      : undefined
    : never
