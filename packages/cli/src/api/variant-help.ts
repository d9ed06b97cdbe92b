import type { EndpointSpec, Variants } from '@stithy/core'
import { type Field, fieldsOf } from './field.ts'
import { flagOf } from './field-flag.ts'

/** A one-line summary of all endpoints with a name: `List labels of a project or group`. */
export function summaryOf(variants: Variants): string {
  const [first, ...others] = variants.map(({ docs }) => docs.summary.split(' '))
  if (first === undefined || others.length === 0) return variants[0].docs.summary
  const differs = first.findIndex((word, index) => others.some((words) => words[index] !== word))
  const shared = differs === -1 ? first.length : differs
  const rests = [first, ...others].map((words) => words.slice(shared).join(' '))
  const prefix = first.slice(0, shared).join(' ')
  return rests.includes('') ? prefix : `${prefix} ${listed(rests)}`
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} or ${last}`
}

/** Describes each endpoint with a name, with its path and the flags that select it. */
export function describeVariants(variants: Variants): string {
  const lines = variants.map((endpoint) => {
    const { method, path, tier } = endpoint
    const flags = choosingFlags(variants, endpoint)
    const chosen = flags.length === 0 ? '' : `  with ${flags.join(' and ')}`
    return `${method} /api/v4${path}${tier === undefined ? '' : ` (${tier})`}${chosen}`
  })
  return [summaryOf(variants), ...descriptionsOf(variants), lines.join('\n')].join('\n\n')
}

function descriptionsOf(variants: Variants): string[] {
  const byText = Map.groupBy(variants, ({ docs }) => docs.description)
  return [...byText].flatMap(([text, endpoints]) => {
    if (text === undefined) return []
    if (endpoints.length === variants.length) return [text]
    const condition = conditionOf(variants, endpoints)
    return [`${condition.charAt(0).toUpperCase()}${condition.slice(1)}: ${text}`]
  })
}

/** Describes a parameter, for all endpoints that have it. */
export function describeField(
  variants: Variants,
  fields: ReadonlyMap<EndpointSpec, Field>,
): string {
  const everywhere = fields.size === variants.length
  const byText = Map.groupBy(fields, ([, { hint, required, inPath }]) =>
    required && (everywhere || !inPath) ? `${hint} (required)` : hint,
  )
  const isParent = [...fields.values()].every(({ inPath }) => inPath)
  if (byText.size === 1 && (everywhere || isParent)) {
    return [...byText.keys()].join()
  }
  const parts = Array.from(byText, ([text, entries]) => {
    const endpoints = entries.map(([endpoint]) => endpoint)
    return `${text} (${conditionOf(variants, endpoints)})`
  })
  return parts.join('; ')
}

/** The flags with which a parameter has one meaning. */
export function conditionOf(variants: Variants, endpoints: readonly EndpointSpec[]): string {
  const withFlags = (some: readonly EndpointSpec[]) =>
    listed(some.map((endpoint) => choosingFlags(variants, endpoint).join(' and ')))
  const isBare = endpoints.some((endpoint) => choosingFlags(variants, endpoint).length === 0)
  if (!isBare) return `with ${withFlags(endpoints)}`
  return `without ${withFlags(variants.filter((endpoint) => !endpoints.includes(endpoint)))}`
}

/** The path flags that distinguish an endpoint from others with its name. */
function choosingFlags(variants: Variants, endpoint: EndpointSpec): string[] {
  const others = variants.map(pathFlags)
  return pathFlags(endpoint).filter((flag) => !others.every((flags) => flags.includes(flag)))
}

function pathFlags(endpoint: EndpointSpec): string[] {
  return fieldsOf(endpoint)
    .filter(({ inPath }) => inPath)
    .map(flagOf)
}
