import { AccessLevel } from '@stithy/core'
import type { Option } from '../../platform/design/form-fields.ts'

const names: Readonly<Record<number, string>> = {
  [AccessLevel.none]: 'No access',
  [AccessLevel.guest]: 'Guest',
  [AccessLevel.reporter]: 'Reporter',
  [AccessLevel.developer]: 'Developer',
  [AccessLevel.maintainer]: 'Maintainer',
  [AccessLevel.owner]: 'Owner',
}

/** The name of an access level: `Developer`. */
export function levelName(level: number): string {
  return names[level] ?? `Level ${level}`
}

/** The levels that members may have, as a choice. */
export function levelOptions(levels: readonly number[]): Option[] {
  return levels.map((level) => ({ value: String(level), text: levelName(level) }))
}
