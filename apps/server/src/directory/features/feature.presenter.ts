import { type Feature, type FeatureGate, featureState } from '@stithy/core'
import type { FeatureRow } from '@stithy/store'

/** Presents a feature: `boolean` always, other gates where they have a value. */
export function presentFeature({ name, gates }: FeatureRow): Feature {
  const valuesOf = (key: string) =>
    gates.filter((gate) => gate.key === key).map((gate) => gate.value)
  const [percentage] = valuesOf('percentage_of_time')
  const isOn = valuesOf('boolean').includes('true')
  const lists = (['groups', 'actors'] as const).flatMap((key): FeatureGate[] => {
    const value = valuesOf(key)
    return value.length === 0 ? [] : [{ key, value }]
  })
  return {
    name,
    state: featureState(gates),
    gates: [
      { key: 'boolean', value: isOn },
      ...(percentage === undefined
        ? []
        : [{ key: 'percentage_of_time' as const, value: Number(percentage) }]),
      ...lists,
    ],
  }
}
