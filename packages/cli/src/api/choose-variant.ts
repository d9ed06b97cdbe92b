import { describeMismatch, findVariant } from '@stithy/client'
import type { EndpointSpec, Variants } from '@stithy/core'
import { usageError } from '../cli-error.ts'
import type { FieldFlag } from './flags.ts'
import { conditionOf } from './variant-help.ts'

/**
 * Finds the endpoint that the given flags select.
 * @throws CliError if they select none, or if one of them is missing or belongs to another
 * endpoint.
 */
export function chooseVariant(
  variants: Variants,
  flags: readonly FieldFlag[],
  isGiven: (flag: FieldFlag) => boolean,
): EndpointSpec {
  const byName = new Map(flags.map((flag) => [flag.name, flag]))
  const given = flags.filter(isGiven)
  const found = findVariant(variants, (name) => given.some((flag) => flag.name === name))
  if ('given' in found) {
    const longs = (names: readonly string[]) => names.map((name) => longOf(byName.get(name)))
    const mismatch = { given: longs(found.given), missing: found.missing.map(longs) }
    throw usageError(describeMismatch(mismatch))
  }
  const stranger = given.find(({ fields }) => !fields.has(found))
  if (stranger !== undefined) {
    const condition = conditionOf(variants, [...stranger.fields.keys()])
    throw usageError(`${longOf(stranger)} can only be used ${condition}`)
  }
  const missing = flags.find((flag) => flag.fields.get(found)?.required && !given.includes(flag))
  if (missing !== undefined) throw usageError(`${longOf(missing)} is missing`)
  return found
}

function longOf(flag: FieldFlag | undefined): string {
  return flag?.option.long ?? ''
}
