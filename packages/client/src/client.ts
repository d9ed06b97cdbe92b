import { contracts, groupByName, namedEndpoints, type Variants } from '@stithy/core'
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
  for (const plan of plansOf(registry)) {
    defineLazily(client, plan.name, () => buildResource(transport, plan.members))
  }
  return client as Client<R>
}

/** A resource with its members, or a method with its endpoints. */
interface Plan {
  name: string
  variants: Variants | undefined
  members: readonly Plan[]
}

const known = new WeakMap<Registry, readonly Plan[]>()

/** What a client of a registry has; found once for all clients, of which servers may make many. */
function plansOf(registry: Registry): readonly Plan[] {
  const found = known.get(registry)
  if (found !== undefined) return found
  const plans = planMembers(groupByName(namedEndpoints(registry)), '')
  known.set(registry, plans)
  return plans
}

/** @param names those that start with the prefix */
function planMembers(names: ReadonlyMap<string, Variants>, prefix: string): Plan[] {
  const members = Map.groupBy(names, ([name]) => segmentOf(name, prefix))
  return Array.from(members, ([name, nested]) => {
    const variants = names.get(prefix + name)
    const inner = variants === undefined ? planMembers(new Map(nested), `${prefix}${name}.`) : []
    return { name, variants, members: inner }
  })
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

function buildResource(transport: Transport, members: readonly Plan[]): object {
  const resource: Record<string, unknown> = {}
  for (const { name, variants, members: nested } of members) {
    if (variants === undefined) resource[name] = buildResource(transport, nested)
    else resource[name] = buildMethod(transport, name, variants)
  }
  return Object.freeze(resource)
}

function buildMethod(transport: Transport, name: string, variants: Variants): unknown {
  // The property gives the function its name.
  const named = {
    [name]: (input?: DynamicInput, options?: CallOptions) =>
      callEndpoint(transport, variants, input, options),
  }
  return named[name]
}
