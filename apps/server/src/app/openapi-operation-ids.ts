import {
  type Contract,
  type EndpointSpec,
  endpointsByName,
  parameterNoun,
  pathParameters,
} from '@stithy/core'

/**
 * The `operationId` of each endpoint: its name and, if others share that, what distinguishes it:
 * `issues.list`, `issues.list.group`, `issues.list.project`. Deprecated aliases end in `legacy`.
 */
export function operationIds(
  contracts: Readonly<Record<string, Contract>>,
): Map<EndpointSpec, string> {
  const byName = endpointsByName(contracts)
  const ids = new Map<EndpointSpec, string>()
  for (const endpoint of Object.values(contracts).flatMap((contract) => Object.values(contract))) {
    const parents = distinctParents(endpoint, byName.get(endpoint.name) ?? [])
    const legacy = endpoint.legacy ? ['legacy'] : []
    ids.set(endpoint, [endpoint.name, ...parents, ...legacy].join('.'))
  }
  return ids
}

/** Path segments of this endpoint that some endpoints of the same name have, but not all. */
function distinctParents(endpoint: EndpointSpec, variants: readonly EndpointSpec[]): string[] {
  const others = variants.map(inputNames)
  return inputNames(endpoint)
    .filter((name) => others.some((names) => names.includes(name)))
    .filter((name) => !others.every((names) => names.includes(name)))
    .map(parameterNoun)
}

function inputNames({ path }: EndpointSpec): string[] {
  return pathParameters(path).map(({ input }) => input)
}
