import {
  type AppliedLevel,
  appliedLevel,
  type LevelChoices,
  type NotificationLevel,
  notificationLevels,
} from '@stithy/core'
import type { ChosenLevel } from '@stithy/store'

const levelNames = new Map<number, NotificationLevel>(
  Object.entries(notificationLevels).map(([name, number]) => [number, name as NotificationLevel]),
)

/** The level that applies to each user, of all that they chose for a place. */
export function levelOf(rows: readonly ChosenLevel[]): (userId: number) => AppliedLevel {
  const chosen = Map.groupBy(rows, ({ userId }) => userId)
  return (userId) => appliedLevel(choicesOf(chosen.get(userId) ?? []))
}

function choicesOf(rows: readonly ChosenLevel[]): LevelChoices {
  const choices = rows.map((row) => ({ ...row, level: levelNames.get(row.level) ?? 'global' }))
  return {
    project: choices.find(({ scope }) => scope === 'project'),
    groups: choices
      .filter(({ scope }) => scope === 'group')
      .toSorted((a, b) => a.distance - b.distance),
    global: choices.find(({ scope }) => scope === 'global'),
  }
}
