import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'

/** Maximum number of features: their list has no pages. */
export const maxFeatures = 1000

/** Maximum number of groups and actors that a feature is on for. */
export const maxFeatureGates = 1000

/** Maximum length of the names of features and of their groups, in characters. */
export const maxFeatureNameLength = 255

/** Validates a name of a feature or of a group of callers; returns errors by field, or undefined. */
export function featureNameErrors(field: string, name: string): FieldErrors | undefined {
  if (isLongerThan(name, maxFeatureNameLength)) return { [field]: [tooLong(maxFeatureNameLength)] }
  return /^[\w.:-]+$/.test(name) ? undefined : { [field]: ['is invalid'] }
}

/** A stored gate of a feature. */
export interface FeatureGateValue {
  key: 'boolean' | 'percentage_of_time' | 'groups' | 'actors'
  /** `true` or `false`; a percentage; the name of a group; `User:1`. */
  value: string
}

/** Whether a feature is on for everyone, for nobody, or for some. */
export function featureState(gates: readonly FeatureGateValue[]): 'on' | 'off' | 'conditional' {
  const isOn = gates.some(
    ({ key, value }) =>
      (key === 'boolean' && value === 'true') || (key === 'percentage_of_time' && value === '100'),
  )
  if (isOn) return 'on'
  return gates.some(({ key }) => key !== 'boolean') ? 'conditional' : 'off'
}
