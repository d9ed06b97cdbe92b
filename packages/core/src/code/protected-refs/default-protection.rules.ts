import { AccessLevel } from '../../platform/access/level.ts'

/** Protection of a new default branch: the levels required to push and merge. */
export interface DefaultProtection {
  push: number
  merge: number
}

const { developer, maintainer } = AccessLevel

const protections: Readonly<Record<number, DefaultProtection>> = {
  1: { push: developer, merge: maintainer },
  2: { push: maintainer, merge: maintainer },
  3: { push: maintainer, merge: developer },
}

/**
 * The protection of a new default branch by the setting `default_branch_protection`; undefined for
 * 0, no protection.
 */
export function defaultProtectionOf(setting: number): DefaultProtection | undefined {
  return protections[setting]
}

/** Whether the setting prevents developers from pushing the first branch of an empty repository. */
export function protectsEmptyRepository(setting: number): boolean {
  return (protections[setting]?.push ?? 0) >= maintainer
}
