import { type Visibility, visibilities } from '@stithy/core'
import { radioGroup } from '../../platform/design/form-fields.ts'
import type { Html } from '../../platform/html/html.ts'

const hints: Readonly<Record<Visibility, string>> = {
  private: 'Members alone.',
  internal: 'Every user who has signed in, except external ones.',
  public: 'Everybody, without signing in.',
}

/** Who may see a project or group. */
export function visibilityField(value: string): Html {
  return radioGroup({
    name: 'visibility',
    legend: 'Who may see it',
    options: visibilities.map((each) => ({
      value: each,
      text: each.slice(0, 1).toUpperCase() + each.slice(1),
      hint: hints[each],
    })),
    value,
  })
}

/** The visibility that a form has chosen; undefined for none, and for what is none. */
export function chosenVisibility(text: string): Visibility | undefined {
  return visibilities.find((each) => each === text)
}
