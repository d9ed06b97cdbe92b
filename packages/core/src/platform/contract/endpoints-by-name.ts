import type { Contract, EndpointSpec } from './endpoint.ts'

/** Endpoints that share a name. */
export type Variants = readonly [EndpointSpec, ...EndpointSpec[]]

/** The endpoints in SDK and CLI: without legacy ones. */
export function namedEndpoints(contracts: Readonly<Record<string, Contract>>): EndpointSpec[] {
  return Object.values(contracts)
    .flatMap((contract) => Object.values(contract))
    .filter(({ legacy }) => legacy !== true)
}

/**
 * Groups endpoints by name. Those that share a name do the same below different parents, and are
 * distinguished by their path parameters: first the one without a parent, then those of projects,
 * groups and others.
 */
export function groupByName(endpoints: readonly EndpointSpec[]): Map<string, Variants> {
  const byName = new Map<string, [EndpointSpec, ...EndpointSpec[]]>()
  for (const endpoint of endpoints) {
    const variants = byName.get(endpoint.name)
    if (variants === undefined) byName.set(endpoint.name, [endpoint])
    else variants.push(endpoint)
  }
  for (const variants of byName.values()) {
    if (variants.length > 1) variants.sort((one, other) => rankOf(one) - rankOf(other))
  }
  return byName
}

/** The endpoints in SDK and CLI, by name. */
export function endpointsByName(
  contracts: Readonly<Record<string, Contract>>,
): Map<string, Variants> {
  return groupByName(namedEndpoints(contracts))
}

const parents = ['/projects/', '/groups/']

function rankOf({ path }: EndpointSpec): number {
  const parent = parents.findIndex((prefix) => path.startsWith(prefix))
  const parameters = path.split(':').length
  return parameters * 10 + (parent === -1 ? parents.length : parent)
}
