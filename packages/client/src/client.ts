import {
  type ClientInput,
  type ClientOutput,
  type Contract,
  type Contracts,
  contracts,
  type EndpointSpec,
  type UploadedFile,
} from '@stithy/core'
import { encodeRequest } from './encode.ts'
import { nextQuery, Page, PagePromise, readPageInfo } from './page.ts'
import {
  type CallOptions,
  type ClientOptions,
  createTransport,
  type Transport,
} from './transport.ts'

/** Contracts by the name of their resource, as `contracts` of @stithy/core is. */
export type Registry = Readonly<Record<string, Contract>>

/** What a call takes, flat. Files may also be given as the platform's own `Blob` or `File`. */
export type CallInput<E extends EndpointSpec> = {
  [N in keyof ClientInput<E>]: UploadedFile extends ClientInput<E>[N]
    ? ClientInput<E>[N] | Blob
    : ClientInput<E>[N]
}

/** The input may be left out where nothing is required. */
export type CallArguments<E extends EndpointSpec> =
  Record<never, never> extends CallInput<E>
    ? [input?: CallInput<E>, options?: CallOptions]
    : [input: CallInput<E>, options?: CallOptions]

/** A list gives pages, a raw endpoint the platform's `Response`, everything else its parsed body. */
export type CallResult<E extends EndpointSpec> = E extends { kind: 'raw' }
  ? Promise<Response>
  : E extends { paginated: true }
    ? ClientOutput<E> extends readonly (infer Item)[]
      ? PagePromise<Item>
      : never
    : Promise<ClientOutput<E>>

/** One endpoint as a function. Fails with `StithyError`. */
export type Call<E extends EndpointSpec> = (...args: CallArguments<E>) => CallResult<E>

/** The actions of one resource. */
export type ResourceClient<C extends Contract> = { readonly [Action in keyof C]: Call<C[Action]> }

/** Every resource of a registry with its actions: `client.projects.list()`. */
export type Client<R extends Registry = Contracts> = {
  readonly [Resource in keyof R]: ResourceClient<R[Resource]>
}

/** A client of the whole service. @throws TypeError where an option cannot be right. */
export function createClient(options: ClientOptions): Client {
  return createClientFor(contracts, options)
}

/** A client of other contracts than those of the service, such as those of an extension. */
export function createClientFor<R extends Registry>(
  registry: R,
  options: ClientOptions,
): Client<R> {
  const transport = createTransport(options)
  const client = {}
  for (const [name, contract] of Object.entries(registry)) {
    defineLazily(client, name, () => buildResource(transport, contract))
  }
  return client as Client<R>
}

/** A resource costs nothing until it is first used; from then on it is a plain object. */
function defineLazily(target: object, name: string, build: () => object): void {
  Object.defineProperty(target, name, {
    enumerable: true,
    configurable: true,
    get() {
      const value = build()
      Object.defineProperty(target, name, { value, enumerable: true })
      return value
    },
  })
}

function buildResource(transport: Transport, contract: Contract): object {
  const actions = Object.entries(contract).map(([name, endpoint]) => {
    const call = (input?: DynamicInput, options?: CallOptions) =>
      callEndpoint(transport, endpoint, input, options)
    return [name, Object.defineProperty(call, 'name', { value: name })]
  })
  return Object.freeze(Object.fromEntries(actions))
}

/** The input of an endpoint that is only known at run time. */
export type DynamicInput = Readonly<Record<string, unknown>>

/** Calls an endpoint that is only known at run time; its contract says which of the three comes back. */
export function callEndpoint(
  transport: Transport,
  endpoint: EndpointSpec,
  input: DynamicInput = {},
  options: CallOptions = {},
): Promise<unknown> | PagePromise<unknown> {
  if (endpoint.paginated) return callPages(transport, endpoint, input, options)
  return callOnce(transport, endpoint, input, options)
}

async function callOnce(
  transport: Transport,
  endpoint: EndpointSpec,
  input: DynamicInput,
  options: CallOptions,
): Promise<unknown> {
  const { response, body } = await transport.send(encodeRequest(endpoint, input), options)
  return endpoint.kind === 'raw' ? response : body
}

function callPages(
  transport: Transport,
  endpoint: EndpointSpec,
  input: DynamicInput,
  options: CallOptions,
): PagePromise<unknown> {
  return new PagePromise(async (query) => {
    const request = encodeRequest(endpoint, input)
    if (query !== null) request.query = query
    const { response, body } = await transport.send(request, options)
    const items = Array.isArray(body) ? body : []
    return {
      page: new Page(items, readPageInfo(response.headers)),
      next: nextQuery(response.headers, request.query),
    }
  })
}
