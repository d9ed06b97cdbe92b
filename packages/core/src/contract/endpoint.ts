import type { z } from 'zod'
import type { GroupAbility } from '../access/group-policy.ts'
import type { InstanceAbility } from '../access/instance-policy.ts'
import type { ProjectAbility } from '../access/project-policy.ts'
import type { TokenScope } from '../access/scope.ts'
import type { ErrorCode } from '../errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface AuthBase {
  /** True where the call also answers without a token, with public data (`auth: 'optional'` of a subject). */
  anonymous?: true
  /** Scopes of which any one is enough; `api` always is. Default: `api` alone. */
  scope?: TokenScope | readonly TokenScope[]
}

interface OnProject extends AuthBase {
  on: 'project'
  ability: ProjectAbility
}

interface OnGroup extends AuthBase {
  on: 'group'
  ability: GroupAbility
}

interface OnInstance extends AuthBase {
  on: 'instance'
  ability: InstanceAbility
}

interface SignedIn extends AuthBase {
  on?: undefined
}

/**
 * Who may call. `public`: anybody, and no token is asked for. `optional`: anybody; a token widens what
 * is seen. `on` names the subject that is loaded from the path (`:id`) and that `ability` is decided on.
 */
export type Auth = 'public' | 'optional' | OnProject | OnGroup | OnInstance | SignedIn

/** What an answer's body is: a schema, or `null` for an answer without a body. */
export type ResponseBody = z.ZodType | null

/** One endpoint as plain data. Everything else (route, OpenAPI, SDK, CLI) is derived from it. */
export interface EndpointSpec {
  method: Method
  /** Relative to `/api/v4`, parameters as `:name`. */
  path: string
  /** Other spellings under which existing clients call the same thing. */
  aliases?: readonly string[]
  /** Path parameters beside `:id`-like strings. */
  params?: z.ZodObject
  /** Query parameters of GET and DELETE. */
  query?: z.ZodObject
  /** Parameters of POST and PUT, taken from the body and, behind it, from the query string. */
  body?: z.ZodObject
  /** Lists: `page` and `per_page` are added, and the pagination headers are sent. */
  paginated?: true
  /**
   * Lists that can be walked by id with `pagination=keyset&order_by=id`: the direction where `sort` is not
   * sent. Their query takes `id_after` and `id_before`. On other lists `pagination=keyset` is a 400.
   */
  keyset?: 'asc' | 'desc'
  /** `raw` answers are bytes with their own headers (git, archives, raw files). */
  kind?: 'json' | 'raw'
  /** Bytes of the largest body, where files come in with it; 8 MiB when left out. */
  bodyLimit?: number
  response: Readonly<Record<number, ResponseBody>>
  auth: Auth
  /** Which name of the path holds the subject; `id` when left out. */
  subjectParam?: string
  /** Failures worth documenting, beyond those that every call can have. */
  errors?: readonly ErrorCode[]
  /** The feature tier from which on this exists; lower tiers answer 403. */
  tier?: 'premium' | 'ultimate'
  docs: { summary: string; tag: string; description?: string }
}

/** The endpoints of one resource by the name of their action: `list`, `show`, `create`... */
export type Contract = Readonly<Record<string, EndpointSpec>>

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
  [N in PathNames<E['path']>]: E['params'] extends z.ZodObject
    ? N extends keyof z.input<E['params']>
      ? z.input<E['params']>[N]
      : string | number
    : string | number
}

/** What a handler finds in `params`: strings, unless the contract's `params` say otherwise. */
export type ParamsOf<E extends EndpointSpec> = {
  [N in PathNames<E['path']>]: E['params'] extends z.ZodObject
    ? N extends keyof z.output<E['params']>
      ? z.output<E['params']>[N]
      : string
    : string
}

/** What a handler finds in `query`. */
export type QueryOf<E extends EndpointSpec> = Output<E['query']>

/** What a handler finds in `body`. */
export type BodyOf<E extends EndpointSpec> = Output<E['body']>

/** Pagination as callers send it. */
export interface PageInput {
  page?: number
  per_page?: number
}

type Flatten<T> = { [K in keyof T]: T[K] }

/** Everything a client may send, flat: path, query and body names never meet (a test holds this). */
export type ClientInput<E extends EndpointSpec> = Flatten<
  PathInput<E> &
    Input<E['query']> &
    Input<E['body']> &
    (E['paginated'] extends true ? PageInput : unknown)
>

type SuccessBodies<R> = R[keyof R & (200 | 201 | 202 | 204)]

/** What a client gets back: the body of the successful answer, `undefined` where it has none. */
export type ClientOutput<E extends EndpointSpec> =
  SuccessBodies<E['response']> extends infer B
    ? B extends z.ZodType
      ? z.output<B>
      : undefined
    : never
