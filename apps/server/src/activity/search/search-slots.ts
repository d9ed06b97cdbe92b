import type { App } from '../../platform/app.ts'
import type { Call } from '../../platform/http/call.ts'
import { createTransferSlots, type TransferSlots } from '../../platform/http/transfer-slots.ts'

const slotsOf = new WeakMap<App, TransferSlots>()

function searchSlots(app: App): TransferSlots {
  const known = slotsOf.get(app)
  if (known !== undefined) return known
  const { concurrent, concurrentPerUser, waiting } = app.config.codeLimits.search
  const slots = createTransferSlots({
    total: concurrent,
    perClient: concurrentPerUser,
    queue: waiting,
  })
  slotsOf.set(app, slots)
  return slots
}

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
