import { DomainError } from '@stithy/core'

/** Counts what users have open. */
export interface UserCounts {
  /**
   * Counts one more of a user; returns the function that takes it back.
   * @throws DomainError `too_many_requests`
   */
  add: (userId: number) => () => void
  total: () => number
}

/** Seconds after which it is worth trying again. */
const retryAfter = 60

export function createUserCounts(max: { total: number; perUser: number }): UserCounts {
  const byUser = new Map<number, number>()
  let total = 0
  return {
    add(userId) {
      const own = byUser.get(userId) ?? 0
      if (total >= max.total || own >= max.perUser) {
        throw new DomainError('too_many_requests', { retryAfter })
      }
      total += 1
      byUser.set(userId, own + 1)
      return () => {
        total -= 1
        const left = (byUser.get(userId) ?? 1) - 1
        if (left > 0) byUser.set(userId, left)
        else byUser.delete(userId)
      }
    },
    total: () => total,
  }
}
