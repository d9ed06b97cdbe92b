/** Access levels of members; 60 is administrators only. */
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

/** Access levels of group members. */
export const groupMemberLevels = [10, 20, 30, 40, 50] as const

/** Access levels of project members; projects have no owner level. */
export const projectMemberLevels = [10, 20, 30, 40] as const

export const visibilities = ['private', 'internal', 'public'] as const
export type Visibility = (typeof visibilities)[number]

/** Whether `inner` is more visible than `outer`, which is not allowed for a contained resource. */
export function isWiderThan(inner: Visibility, outer: Visibility): boolean {
  return visibilities.indexOf(inner) > visibilities.indexOf(outer)
}
