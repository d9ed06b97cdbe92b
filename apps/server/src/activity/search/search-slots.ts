import type { Call } from '../../platform/http/call.ts'
import { slotsPerApp } from '../../platform/http/transfer-slots.ts'

const searchSlots = slotsPerApp(({ config }) => {
  const { concurrent, concurrentPerUser, waiting } = config.codeLimits.search
  return { total: concurrent, perClient: concurrentPerUser, queue: waiting }
})

/**
 * Runs a search of code when its caller may have a slot: it reads many files, or runs git on a whole
 * repository.
 * @throws DomainError `too_many_requests` if too many searches wait
 */
export async function inSearchSlot<T>(
  { app, caller, signal }: Pick<Call, 'app' | 'caller' | 'signal'>,
  search: () => Promise<T>,
): Promise<T> {
  const release = await searchSlots(app).take(`user ${caller.facts.userId}`, signal())
  try {
    return await search()
  } finally {
    release()
  }
}
