import {
  constrainedNames,
  type EndpointSpec,
  fieldMeta,
  invalidParameter,
  type ParameterConstraint,
} from '@stithy/core'
import { type Tier, tierAllows } from '../config/config.ts'
import type { Params } from './nested-params.ts'

type Values = Readonly<Record<string, unknown>>

/** What is wrong with a request's parameters, or undefined. */
type Check = (sent: Params, values: Values) => string | undefined

/**
 * Compiles the constraints of an endpoint to a check of what was sent and what it was decoded to;
 * undefined without any. Parameters of a tier that the server does not have are left out.
 */
export function compileConstraints(
  { constraints = [], query, body }: EndpointSpec,
  tier: Tier,
): ((sent: Params, values: Values) => void) | undefined {
  if (constraints.length === 0) return undefined
  const fields = { ...query?.shape, ...body?.shape }
  const isAvailable = (name: string) => {
    const needed = fieldMeta(fields[name])?.tier
    return needed === undefined || tierAllows(tier, needed)
  }
  const isFile = (name: string) => fieldMeta(fields[name])?.wire.format === 'binary'
  const checks = constraints.map((constraint) => {
    const names = constrainedNames(constraint).filter(isAvailable)
    return checkOf(constraint, names, new Set(names.filter(isFile)))
  })
  return (sent, values) => {
    const problems = checks.flatMap((check) => check(sent, values) ?? [])
    if (problems.length > 0) throw invalidParameter(problems.join(', '))
  }
}

/** @param files the names of files, which a blank value removes */
function checkOf(
  constraint: ParameterConstraint,
  names: readonly string[],
  files: ReadonlySet<string>,
): Check {
  const list = names.join(', ')
  const missing = (count: string) =>
    names.length === 1
      ? `${list} is missing`
      : `${list} are missing, ${count} parameter must be provided`
  const valuesOf = (values: Values) => names.filter((name) => isValue(values[name])).length
  if ('atLeastOneOf' in constraint) {
    const text = constraint.message ?? missing('at least one')
    const isAbsent = (name: string, sent: Params, values: Values) =>
      values[name] === undefined && !(files.has(name) && sent[name] !== undefined)
    return (sent, values) =>
      names.every((name) => isAbsent(name, sent, values)) ? text : undefined
  }
  if ('allOrNoneOf' in constraint) {
    const text = `${list} provide all or none of parameters`
    return (_, values) => (valuesOf(values) % names.length === 0 ? undefined : text)
  }
  if ('dependent' in constraint) {
    const [one, other] = constraint.dependent
    return (_, values) =>
      isValue(values[one]) && values[other] === undefined ? `${other} is missing` : undefined
  }
  const excluded = `${list} are mutually exclusive`
  const neededText = 'exactlyOneOf' in constraint ? missing('exactly one') : undefined
  return (_, values) => {
    if (valuesOf(values) > 1) return excluded
    return names.every((name) => values[name] === undefined) ? neededText : undefined
  }
}

function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== ''
}
