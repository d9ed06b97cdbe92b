import { tabs } from '../../platform/design/navigation.ts'
import type { Html } from '../../platform/html/html.ts'
import { withQuery } from '../../platform/text/addresses.ts'

/** A list of what a project or group has itself, and what it has of the groups above. */
interface InheritingList {
  /** Whether there are groups above. */
  inherits: boolean
  /** Whether the viewer may change what is listed. */
  canManage: boolean
}

/**
 * Whether what comes of the groups above is listed too. It can't be changed there, so managers see the
 * rest first.
 */
export function showsInherited(
  { inherits, canManage }: InheritingList,
  query: URLSearchParams,
): boolean {
  if (!inherits) return false
  const wanted = query.get('with_inherited')
  return wanted === null ? !canManage : wanted !== 'exclude'
}

/** The parameters of an address that shows what is inherited, or leaves it out. */
export function withInherited(isInherited: boolean) {
  return { with_inherited: isInherited ? 'include' : 'exclude' }
}

/** Leads from what a project or group has itself to all of it, and back. */
export function inheritedTabs(
  label: string,
  { address, own, isInherited }: { address: string; own: string; isInherited: boolean },
): Html {
  return tabs(label, [
    { text: own, href: withQuery(address, withInherited(false)), isCurrent: !isInherited },
    { text: 'All', href: withQuery(address, withInherited(true)), isCurrent: isInherited },
  ])
}
