import { hasSideBand, type PushResult, type ReceiveRequest } from '@stithy/git'
import type { RefRefusal } from '../pushes/push-check.service.ts'

/** Refs listed per reason. */
const maxListedRefs = 5

/** The result of a push that is refused for some of its refs. */
export function refusalResult(
  { commands, capabilities }: ReceiveRequest,
  refusals: readonly RefRefusal[],
  messages: readonly string[] = [],
): PushResult {
  // Clients know this wording from hooks; a client without side bands gets the reason instead.
  const declined = commands.map(({ ref }) => [ref, 'pre-receive hook declined'])
  const own = hasSideBand(capabilities) ? [] : refusals.map(({ ref, reason }) => [ref, reason])
  const reasons = Object.fromEntries([...declined, ...own])
  return { reasons, messages: [...messages, ...explain(refusals)] }
}

/** Lists each reason once, after the refs that it applies to if there are several reasons. */
function explain(refusals: readonly RefRefusal[]): string[] {
  const byReason = Map.groupBy(refusals, ({ reason }) => reason)
  if (byReason.size === 1) return [...byReason.keys()]
  return [...byReason].map(([reason, refused]) => {
    const names = refused.slice(0, maxListedRefs).map(({ ref }) => ref)
    const more = refused.length > maxListedRefs ? ` and ${refused.length - maxListedRefs} more` : ''
    return `${names.join(', ')}${more}: ${reason}`
  })
}
