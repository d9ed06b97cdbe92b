import { AccessLevel } from '../access/level.ts'

/** What a new default branch is protected with: the levels of those who may push and merge. */
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
 * What `default_branch_protection` asks for a new default branch (catalogue: repository, 6); undefined
 * for 0, which protects nothing.
 */
export function defaultProtectionOf(setting: number): DefaultProtection | undefined {
  return protections[setting]
}

/** Whether the setting keeps developers from pushing the first branch of an empty repository. */
export function guardsEmptyRepository(setting: number): boolean {
  return (protections[setting]?.push ?? 0) >= maintainer
}
