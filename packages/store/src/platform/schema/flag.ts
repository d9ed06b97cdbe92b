/** A boolean as both databases store it. */
export type Flag = 0 | 1

/** `toFlag(true)` is 1. */
export function toFlag(value: boolean): Flag {
  return value ? 1 : 0
}

/** Null if it is not known. */
export function toFlagOrNull(value: boolean | undefined): Flag | null {
  return value === undefined ? null : toFlag(value)
}
