/** Access levels of members (document 1, Access request); 60 stands for administrators only. */
export const AccessLevel = {
  none: 0,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  admin: 60,
} as const

export type AccessLevel = (typeof AccessLevel)[keyof typeof AccessLevel]

/** Levels that a group member may have. */
export const groupMemberLevels = [10, 20, 30, 40, 50] as const

/** Levels that a project member may have; projects have no owner level of their own. */
export const projectMemberLevels = [10, 20, 30, 40] as const

export const visibilities = ['private', 'internal', 'public'] as const
export type Visibility = (typeof visibilities)[number]

/** Whether `inner` shows more than `outer` does, which no contained thing may. */
export function isWiderThan(inner: Visibility, outer: Visibility): boolean {
  return visibilities.indexOf(inner) > visibilities.indexOf(outer)
}
