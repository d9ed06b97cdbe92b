import type { Option } from '../../platform/design/form-fields.ts'

/** The level of owners. */
export const owner = 50

const names: Readonly<Record<number, string>> = {
  0: 'No access',
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
}

/** The name of an access level: `Developer`. */
export function levelName(level: number): string {
  return names[level] ?? `Level ${level}`
}

/** The levels that members may have, as a choice. */
export function levelOptions(levels: readonly number[]): Option[] {
  return levels.map((level) => ({ value: String(level), text: levelName(level) }))
}
