import {
  contracts,
  type EndpointSpec,
  groupByName,
  namedEndpoints,
  type Variants,
} from '@stithy/core'
import { callEndpoint } from './call.ts'
import type { Client, Registry } from './client-types.ts'
import {
  type CallOptions,
  type ClientOptions,
  createTransport,
  type Transport,
} from './transport.ts'
import type { DynamicInput } from './variant.ts'

/** Creates a client of the Stithy API. @throws TypeError if an option is invalid. */
export function createClient(options: ClientOptions): Client {
  return createClientFor(contracts, options)
}

/** Creates a client of other contracts, such as those of an extension. */
export function createClientFor<R extends Registry>(
  registry: R,
  options: ClientOptions,
): Client<R> {
  const transport = createTransport(options)
  const client = {}
  for (const [name, endpoints] of resourcesOf(registry)) {
    defineLazily(client, name, () => buildResource(transport, groupByName(endpoints), `${name}.`))
  }
  return client as Client<R>
}

type Resources = ReadonlyMap<string, readonly EndpointSpec[]>

const known = new WeakMap<Registry, Resources>()

/**
 * The endpoints of a registry by the first segment of their names, grouped once for all clients.
 */
function resourcesOf(registry: Registry): Resources {
  const found = known.get(registry)
  if (found !== undefined) return found
  const resources = Map.groupBy(namedEndpoints(registry), ({ name }) => segmentOf(name, ''))
  known.set(registry, resources)
  return resources
}

/** The part of a name between a prefix and the next dot. */
function segmentOf(name: string, prefix: string): string {
  const end = name.indexOf('.', prefix.length)
  return name.slice(prefix.length, end === -1 ? undefined : end)
}

/** A resource is built on first use; from then on it is a plain object. */
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

function buildResource(
  transport: Transport,
  names: ReadonlyMap<string, Variants>,
  prefix: string,
): object {
  const members = Map.groupBy(names, ([name]) => segmentOf(name, prefix))
  const entries = Array.from(members, ([segment, nested]) => {
    const variants = names.get(prefix + segment)
    const member =
      variants === undefined
        ? buildResource(transport, new Map(nested), `${prefix}${segment}.`)
        : buildMethod(transport, segment, variants)
    return [segment, member]
  })
  return Object.freeze(Object.fromEntries(entries))
}

function buildMethod(transport: Transport, name: string, variants: Variants): object {
  const method = (input?: DynamicInput, options?: CallOptions) =>
    callEndpoint(transport, variants, input, options)
  return Object.defineProperty(method, 'name', { value: name })
}
