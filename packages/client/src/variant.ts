import { type EndpointSpec, pathParameters, type Variants } from '@stithy/core'
import { StithyError } from './stithy-error.ts'

/** The input of an endpoint that is only known at run time. */
export type DynamicInput = Readonly<Record<string, unknown>>

/** Why no endpoint with a name has exactly the given path parameters. */
export interface VariantMismatch {
  given: readonly string[]
  /**
   * What is missing: the parameters of one of these lists. Empty if the given ones exclude each
   * other.
   */
  missing: readonly (readonly string[])[]
}

/** Finds the endpoint, among those with the same name, with exactly the given path parameters. */
export function findVariant(
  variants: Variants,
  isGiven: (name: string) => boolean,
): EndpointSpec | VariantMismatch {
  if (variants.length === 1) return variants[0]
  const named = variants.map((endpoint) => ({
    endpoint,
    names: pathParameters(endpoint.path).map(({ input }) => input),
  }))
  const all = new Set(named.flatMap(({ names }) => names))
  const given = [...all].filter(isGiven)
  const open = named.filter(({ names }) => given.every((name) => names.includes(name)))
  const chosen = open.find(({ names }) => names.length === given.length)
  if (chosen !== undefined) return chosen.endpoint
  return {
    given,
    missing: open.map(({ names }) => names.filter((name) => !given.includes(name))),
  }
}

/** Describes the mismatch with the parameter names that the caller uses. */
export function describeMismatch({ given, missing }: VariantMismatch): string {
  if (missing.length === 0) return `${given.join(' and ')} exclude each other`
  const least = missing.filter(
    (names) =>
      !missing.some((fewer) => fewer !== names && fewer.every((one) => names.includes(one))),
  )
  return `${least.map((names) => names.join(' and ')).join(' or ')} is missing`
}

/**
 * Finds the endpoint that an input selects. An undefined parameter counts as given: a parent that
 * is undefined by mistake must never widen a call.
 * @throws StithyError `invalid_parameter` if the input matches none of them.
 */
export function chooseVariant(variants: Variants, input: DynamicInput): EndpointSpec {
  const found = findVariant(variants, (name) => name in input)
  if (!('given' in found)) return found
  throw new StithyError('invalid_parameter', describeMismatch(found), variants[0])
}
