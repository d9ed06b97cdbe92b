import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { BodyOf, CallerFacts, Contract, EndpointSpec, ParamsOf, QueryOf } from '@stithy/core'
import type { Page, PageRequest } from '@stithy/store'
import type { z } from 'zod'
import type { App } from '../app.ts'
import type { ByteRange } from './byte-range.ts'
import type { CallerUser } from './caller.ts'
import type { Subjects } from './subjects.ts'

/** The caller: facts for policies and, unless anonymous, the user's row and the token's scopes. */
export interface Caller {
  facts: CallerFacts
  /** The acting user: under sudo, the user impersonated. */
  user: CallerUser | null
  /** Scopes of the token; a session has all of them. */
  scopes: readonly string[]
  /** Username of the administrator who acts as the user by `sudo`. */
  impersonatedBy?: string
}

/** A signed-in caller; without scopes where it is not a token that decides. */
export function callerOf(user: CallerUser, scopes: readonly string[] = []): Caller {
  const { id: userId, admin, external } = user
  return { facts: { userId, admin, external }, user, scopes }
}

type SubjectOf<E extends EndpointSpec> = E['auth'] extends { on: infer Name extends keyof Subjects }
  ? Subjects[Name]
  : undefined

/** A decoded, authenticated and authorized request, as passed to a handler. */
export interface Call<E extends EndpointSpec = EndpointSpec> {
  app: App
  caller: Caller
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** Names of body parameters in the request, including those that are null or blank. */
  sent: ReadonlySet<string>
  /** Page number and size of a paginated list. */
  page: PageRequest
  subject: SubjectOf<E>
  headers: IncomingHttpHeaders
  method: string
  /** Makes a signal that aborts when the client disconnects; few calls need one. */
  signal: () => AbortSignal
  /** Whether the caller could still make this call; for responses that last. */
  isStillAllowed: () => Promise<boolean>
}

/** The parts of a call that are independent of the type of subject. */
export type CallOn<Subject, Parts extends keyof Call = never> = Pick<
  Call,
  'app' | 'caller' | Parts
> & { subject: Subject }

/** Bytes with their own headers, for contracts of kind `raw`. */
export interface RawResponse {
  status?: number
  headers: Record<string, string>
  body: Buffer | Readable | null
}

/** Bytes of a known length that have an entity tag: of files, blobs, uploads. */
export interface Content {
  /** Strong: no other bytes have it. */
  etag: string
  /** Bytes. */
  size: number
  /** The media type and what else describes the bytes; asked for only if they are sent. */
  describe: () => Record<string, string> | Promise<Record<string, string>>
  /** Reads all bytes, or some of them. */
  open: (range: ByteRange | undefined) => Buffer | Readable | Promise<Buffer | Readable>
}

/** A response that differs from the contract's first success: another status, or extra headers. */
export class Answer<T> {
  readonly status: number
  readonly body: T
  readonly headers: Record<string, string>

  constructor(status: number, body: T, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

type SuccessSchema<E extends EndpointSpec> = E['response'][keyof E['response'] &
  (200 | 201 | 202 | 204)]

type Body<S> = S extends z.ZodType ? z.input<S> : undefined

type Result<E extends EndpointSpec> = E extends { kind: 'raw' }
  ? E['response'] extends { 206: null }
    ? Content
    : RawResponse
  : E['paginated'] extends true
    ? Body<SuccessSchema<E>> extends readonly (infer Item)[]
      ? Page<Item>
      : never
    : Body<SuccessSchema<E>> | Answer<Body<SuccessSchema<E>>>

/** Handles one endpoint: no SQL, at most 25 lines; stores, services and presenters do the work. */
type Handler<E extends EndpointSpec> = (call: Call<E>) => Promise<Result<E>>

/** A handler for each endpoint of a contract; a missing one does not compile. */
export type Handlers<C extends Contract> = { readonly [Name in keyof C]: Handler<C[Name]> }
